// SPDX-License-Identifier: MIT
// Single words of a copy that nothing wrote: has a kernel omitted elements, or are they the padding of structs?
#pragma once

#include <cstdint>

namespace cudasim {

/// The runs of unwritten bytes that hold a word, by row of a copy. The structs of an array have their padding at the
/// same offsets, so the gaps recur at short, regular distances.
class Gaps {
 public:
  void begin_row() { in_row_ = 0; }
  /// In the order of addresses.
  void add(std::uint64_t begin) {
    ++count_;
    ++in_row_;
    const std::uint64_t distance = begin - last_;
    last_ = begin;
    if (in_row_ == 1) return;
    is_far_ |= distance >= kLongestStructBytes;
    // A struct may have several gaps of padding. Then each distance equals the one two or three gaps before.
    for (unsigned back = 0; back < kKeptDistances; ++back) {
      if (in_row_ >= back + 3 && distance != distances_[back]) is_regular_[back] = false;
    }
    for (unsigned back = kKeptDistances - 1; back > 0; --back) distances_[back] = distances_[back - 1];
    distances_[0] = distance;
  }

  /// False where there are none.
  bool are_no_padding() const {
    if (count_ < 2) return count_ == 1;
    return is_far_ || !(is_regular_[0] || is_regular_[1] || is_regular_[2]);
  }

 private:
  /// Elements of arrays are seldom longer.
  static constexpr std::uint64_t kLongestStructBytes = 128;
  static constexpr unsigned kKeptDistances = 3;
  std::uint64_t last_ = 0;
  std::uint64_t distances_[kKeptDistances] = {};  // the last one first
  bool is_regular_[kKeptDistances] = {true, true, true};
  bool is_far_ = false;
  unsigned in_row_ = 0, count_ = 0;
};

}  // namespace cudasim
