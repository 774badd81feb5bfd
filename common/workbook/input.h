// SPDX-License-Identifier: MIT
// Seeded inputs. The generator is std::mt19937, whose numbers the C++ standard fixes; what makes floats of them is
// written here and not left to std::uniform_real_distribution, so every platform and library gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace workbook {

enum class Distribution : std::uint8_t {
  uniform,         ///< [0, 1), multiples of 2^-24
  signed_uniform,  ///< [-1, 1), multiples of 2^-23: the sum is near 0 and the terms are not
  exact,           ///< -1, 0 or 1: the sum is exact in every order, so a single element lost or counted twice shows
  one_hot,         ///< a single 1 at a place that the seed chooses, 0 elsewhere
  constant,        ///< 0.1f everywhere: rounding errors have one sign and add up
  nan,             ///< uniform, with one NaN
  infinity,        ///< uniform, with one +infinity
  infinities,      ///< uniform, with +infinity and -infinity (one of them only when n is 1)
};

/// The name on the command line and in reports: "uniform", "signed", "exact", "one-hot", "constant", "nan", ...
const char* name_of(Distribution distribution);
std::optional<Distribution> distribution_named(std::string_view name);
/// All names, with ", " between them: for a message or a help text.
std::string distribution_names();

constexpr std::uint32_t kDefaultSeed = 12345;

/// n floats. The same three arguments give the same bits everywhere.
std::vector<float> make_input(Distribution distribution, std::size_t n, std::uint32_t seed = kDefaultSeed);

}  // namespace workbook
