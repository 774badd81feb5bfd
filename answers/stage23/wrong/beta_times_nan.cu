// refused: wrong-result: 0 times what C holds is NaN where that is NaN
// SPDX-License-Identifier: MIT
// shown by: --size 33x70x3000
// hint: nan-of-beta
// The formula as it stands in books, in one of two ways to C. It shows only where C holds NaN or infinity.
#include "answer/without_gemm.cuh"

struct WrongCombination : LinearCombination {
  __device__ bool is_source_needed() const { return true; }
  __device__ float operator()(float sum, const float* source) const { return alpha * sum + beta * *source; }
};
#include "answer/without_combination.cuh"
