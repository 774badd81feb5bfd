// refused: wrong-result: on one of two ways to C the sum is not multiplied by alpha
// SPDX-License-Identifier: MIT
// shown by: --size 33x70x3000 --alpha 2
// hint: gemm-wrong
// Right where no tile is cut.
#include "answer/without_gemm.cuh"

struct WrongCombination : LinearCombination {
  __device__ float operator()(float sum, const float* source) const {
    return beta == 0.0f ? sum : sum + beta * *source;
  }
};
#include "answer/without_combination.cuh"
