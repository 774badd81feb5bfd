// SPDX-License-Identifier: MIT
// The lane kernels of a vector level.
#include <cstddef>

#include "base/levels.h"
#include "vector/lane_kernels.h"

namespace cudasim {

namespace baseline {
extern const LaneKernels kLaneKernelsTable;
}
namespace avx2 {
extern const LaneKernels kLaneKernelsTable;
}
namespace avx512 {
extern const LaneKernels kLaneKernelsTable;
}

const LaneKernels& lane_kernels(Level level) {
  static constexpr const LaneKernels* kTables[] = CUDASIM_AT_LEVELS(kLaneKernelsTable);
  return *kTables[static_cast<std::size_t>(level)];
}

}  // namespace cudasim
