// SPDX-License-Identifier: MIT
#include "program/launch.h"

#include <algorithm>

namespace cudasim {

bool TouchedPlaces::overlap(std::uint64_t address, std::uint64_t bytes) const {
  const std::uint64_t end = address + bytes;
  if (end <= begin) return false;
  std::uint64_t slice = depth > 1 && address > begin ? (address - begin) / slice_stride : 0;
  const std::uint64_t last = depth > 1 ? std::min((end - 1 - begin) / slice_stride, depth - 1) : 0;
  for (; slice <= last; ++slice) {
    const std::uint64_t from = begin + slice * slice_stride;
    const std::uint64_t offset = address > from ? address - from : 0;
    const std::uint64_t row = height > 1 ? offset / row_stride : 0;
    if (row < height && offset - row * row_stride < row_width(row)) return true;
    if (row + 1 < height && from + (row + 1) * row_stride < end) return true;  // rows are not empty
  }
  return false;
}

bool TouchedPlaces::overlap(const TouchedPlaces& other) const {
  if (other.height * other.depth > height * depth) return other.overlap(*this);
  bool found = false;
  other.for_each_row([&](std::uint64_t row, std::uint64_t bytes) { found = found || overlap(row, bytes); });
  return found;
}

}  // namespace cudasim
