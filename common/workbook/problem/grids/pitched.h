// SPDX-License-Identifier: MIT
// Rows in memory that begin at multiples of 16 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace workbook {

/// The smallest pitch for rows of `columns` floats that begin at multiples of 16 bytes.
constexpr std::size_t pitch_of(std::size_t columns) { return (columns + 3) / 4 * 4; }

/// Rows of `columns` numbers as rows of `pitch`. What lies behind each row is NaN.
std::vector<float> with_pitch(const std::vector<float>& numbers, std::size_t rows, std::size_t columns,
                              std::size_t pitch);

/// The text of a float's bits.
std::string text_of_float(std::uint32_t word);

}  // namespace workbook
