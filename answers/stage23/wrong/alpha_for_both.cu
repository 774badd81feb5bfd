// refused: wrong-result: alpha multiplies what was there as well
// SPDX-License-Identifier: MIT
// shown by: --size 33x70x3000 --alpha 2 --beta 1
// hint: gemm-wrong
// Right while one of them is 1 or beta 0.
#include "answer/without_gemm.cuh"

struct WrongCombination : LinearCombination {
  __device__ float operator()(float sum, const float* source) const {
    return alpha * (beta == 0.0f ? sum : sum + beta * *source);
  }
};
#include "answer/without_combination.cuh"
