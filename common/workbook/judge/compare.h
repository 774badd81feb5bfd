// SPDX-License-Identifier: MIT
// Compares an array with what it should be, element by element, and names the pattern of the elements that are wrong.
// Pure: no device, no text layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "workbook/case/problem.h"

namespace workbook {

/// A whole array of 32-bit words, rows * columns of them without gaps, whatever they stand for.
struct Words {
  const std::uint32_t* data = nullptr;
  std::size_t rows = 1;
  std::size_t columns = 0;

  std::size_t size() const { return rows * columns; }
  std::uint32_t at(std::size_t row, std::size_t column) const { return data[row * columns + column]; }
};

/// Those of a vector, as a line or as a matrix; its elements have 32 bits.
template <typename T>
Words words_of(const std::vector<T>& array, std::size_t rows, std::size_t columns) {
  static_assert(sizeof(T) == sizeof(std::uint32_t));
  return {reinterpret_cast<const std::uint32_t*>(array.data()), rows, columns};
}
template <typename T>
Words words_of(const std::vector<T>& array) {
  return words_of(array, 1, array.size());
}

/// What may explain wrong elements.
struct Explanations {
  std::uint32_t poison = 0xFFFFFFFF;  ///< what an element holds that nobody wrote
  Words input{};                      ///< what the result was made of; no data: not asked
  bool has_own_stream = false;        ///< Call's: what was written in another stream may have been written too early
  /// A word as people read it; by default as a number without a sign.
  std::function<std::string(std::uint32_t word)> text{};
};

/// `explanations` with what is known of the call.
Explanations explanations_of(const Call& call, Explanations explanations = {});

/// Every element must be the same to the bit, so that a NaN matches itself and nothing else. Both arrays have the same
/// extents. The loop over elements that match is vector code: 2^26 of them take a few hundredths of a second.
///
/// A pattern is named only where it holds for every wrong element, and, where it says which elements are wrong, for no
/// other; where mistakes are mixed there is none.
Verdict compare_words(const Words& got, const Words& expected, const Explanations& explanations);

/// |got - expected| <= bound for every element, written so that a NaN does not match a number; a NaN and infinities
/// match themselves. `bounds` has as many elements as the arrays. Words of the verdict and patterns as above.
Verdict compare_floats(const Words& got, const Words& expected, const std::vector<float>& bounds,
                       const Explanations& explanations);

}  // namespace workbook
