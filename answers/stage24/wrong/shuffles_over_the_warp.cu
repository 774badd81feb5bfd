// refused: wrong-result: the shuffles go over the whole warp, also where a team is smaller: a row gets those of others
// SPDX-License-Identifier: MIT
// shown by: --size 44x68 --padding 4 --block-size 128
// hint: row-sum-wrong
#define sum_team(...) sum_team(Wrong(), __VA_ARGS__)
#include "answer/one_form_answer.cuh"

template <unsigned kRows>
__device__ void sum_team(Wrong, float (&sums)[kRows]) {
  if (blockDim.x >= kWarp) {
    return right::sum_team(sums);
  }
  for (unsigned offset = kWarp / 2; offset > 0; offset /= 2) {
    for (unsigned r = 0; r < kRows; ++r) {
      sums[r] += __shfl_down_sync(0xffffffffu, sums[r], offset);
    }
  }
}
