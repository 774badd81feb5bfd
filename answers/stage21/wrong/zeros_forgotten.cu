// refused: out-of-bounds: what does not exist is copied as well
// SPDX-License-Identifier: MIT
// shown by: --size 130x140x20 --block-size 128x1
// hint: outside-global
#include "answer/without_bring_one.cuh"

template <bool kWhole>
__device__ void bring_one(float* to, const float* from, bool exists) {
  __pipeline_memcpy_async(to, from, sizeof(float));
}
