// SPDX-License-Identifier: MIT
#include "program/launch.h"

namespace cudasim {

bool TouchedPlaces::overlap(std::uint64_t address, std::uint32_t bytes) const {
  for (std::uint64_t at = address; at < address + bytes; ++at) {
    const std::uint64_t offset = at - begin;  // huge where it lies before
    const std::uint64_t slice = depth > 1 ? offset / slice_stride : 0;
    const std::uint64_t in_slice = offset - slice * slice_stride;
    const std::uint64_t row = height > 1 ? in_slice / row_stride : 0;
    if (slice < depth && row < height && in_slice - row * row_stride < width) return true;
  }
  return false;
}

}  // namespace cudasim
