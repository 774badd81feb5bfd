// SPDX-License-Identifier: MIT
// The lane kernels of a vector level.
#include <cstddef>

#include "base/levels.h"
#include "vector/lane_kernels.h"

namespace cudasim {

namespace baseline {
extern const LaneKernels lane_kernels_table;
}
namespace avx2 {
extern const LaneKernels lane_kernels_table;
}
namespace avx512 {
extern const LaneKernels lane_kernels_table;
}

const LaneKernels& lane_kernels(Level level) {
  static constexpr const LaneKernels* tables[] = CUDASIM_AT_LEVELS(lane_kernels_table);
  return *tables[static_cast<std::size_t>(level)];
}

}  // namespace cudasim
