// refused: uninitialised: where A and B end, no thread puts zeros into the tile
// SPDX-License-Identifier: MIT
// shown by: --size 130x140x20 --block-size 128x1
// hint: shared-not-written
#include "answer/without_bring_one.cuh"

template <bool kWhole>
__device__ void bring_one(float* to, const float* from, bool exists) {
  if (kWhole || exists) __pipeline_memcpy_async(to, from, sizeof(float));
}
