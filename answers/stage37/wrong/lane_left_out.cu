// refused: warp-mask: the last lane of each warp takes no part in mma, which is an instruction of all lanes
// SPDX-License-Identifier: MIT
// shown by: --size 20x36x40
// hint: not-all-lanes
#include "answer/without_add_products.cuh"

__device__ void add_products(Sums& sums, const Fragments& f) {
  if (threadIdx.x % kWarp < kWarp - 1) right_add_products(sums, f);
}
