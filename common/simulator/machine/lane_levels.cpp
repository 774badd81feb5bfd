// SPDX-License-Identifier: MIT
// The lane kernels of a vector level.
#include "machine/lane_kernels.h"

namespace cudasim {

namespace baseline {
extern const LaneKernels lane_kernels_table;
}
#if defined(__x86_64__)
namespace avx2 {
extern const LaneKernels lane_kernels_table;
}
namespace avx512 {
extern const LaneKernels lane_kernels_table;
}
#endif

const LaneKernels& lane_kernels(Level level) {
  switch (level) {
#if defined(__x86_64__)
    case Level::avx512:
      return avx512::lane_kernels_table;
    case Level::avx2:
      return avx2::lane_kernels_table;
#else
    case Level::avx512:
    case Level::avx2:
#endif
    case Level::baseline:
      break;
  }
  return baseline::lane_kernels_table;
}

}  // namespace cudasim
