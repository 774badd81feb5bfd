// SPDX-License-Identifier: MIT
// Compares an array with its reference, element by element, and names the pattern of the wrong elements. It uses no
// device and does no text layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "workbook/case/problem.h"

namespace workbook {

/// A whole array of 32-bit words of any meaning: rows * columns of them without gaps.
struct Words {
  const std::uint32_t* data = nullptr;
  std::size_t rows = 1;
  std::size_t columns = 0;

  std::size_t size() const { return rows * columns; }
  std::uint32_t at(std::size_t row, std::size_t column) const { return data[row * columns + column]; }
};

/// The words of a vector, as a line or as a matrix. Its elements have 32 bits.
template <typename T>
Words words_of(const std::vector<T>& array, std::size_t rows, std::size_t columns) {
  static_assert(sizeof(T) == sizeof(std::uint32_t));
  return {reinterpret_cast<const std::uint32_t*>(array.data()), rows, columns};
}
template <typename T>
Words words_of(const std::vector<T>& array) {
  return words_of(array, 1, array.size());
}

/// Data that may explain wrong elements.
struct Explanations {
  std::uint32_t poison = 0xFFFFFFFF;  ///< The value of an unwritten element.
  Words input{};                      ///< The input of the result. Without data, no pattern uses it.
  bool are_moved = true;              ///< Each word was moved here, perhaps from a wrong place. Sums are not.
  bool has_own_stream = false;        ///< As in Call. The stage may write in another stream too early.
  dim3 block{};                       ///< The threads of a block: a place may be one of its extents.
  /// Formats a word for the report; the default is an unsigned number.
  std::function<std::string(std::uint32_t word)> text{};
};

/// `explanations`, completed with the facts of the call.
Explanations explanations_of(const Call& call, Explanations explanations = {});

/// Compares bit by bit: a NaN matches the same NaN and nothing else. Both arrays have the same extents. The loop over
/// matching elements is vector code: 2^26 of them take a few hundredths of a second.
///
/// A pattern must hold for every wrong element. If it says which elements are wrong, it must hold for no other element.
/// Mixed mistakes have no pattern.
Verdict compare_words(const Words& got, const Words& expected, const Explanations& explanations);

/// Requires |got - expected| <= bound for every element, so that a NaN does not match a number. NaN matches NaN, and an
/// infinity matches itself. `bounds` has as many elements as the arrays. Verdict and patterns are as above.
Verdict compare_floats(const Words& got, const Words& expected, const std::vector<float>& bounds,
                       const Explanations& explanations);

}  // namespace workbook
