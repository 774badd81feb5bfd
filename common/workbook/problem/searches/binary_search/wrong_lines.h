// SPDX-License-Identifier: MIT
// Mistakes of a search that asks lines of 32 keys (stage 30): the wrong line, or the count of another query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace workbook {

/// What all wrong places have in common, as a sentence that holds no number. Empty: nothing, or it may be chance.
/// `n`: keys of the table. `begin`: the position of the first key in its line.
std::string describe_wrong_lines(const std::vector<std::uint32_t>& expected, const std::vector<std::uint32_t>& got,
                                 std::size_t n, std::size_t begin);

}  // namespace workbook
