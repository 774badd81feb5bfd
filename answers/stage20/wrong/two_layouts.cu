// refused: wrong-result: four numbers and the next four are read, and stored 4T apart
// SPDX-License-Identifier: MIT
// shown by: --size 128x128x16 --block-size 16x16
// hint: two-layouts
#include "workbook/student/matmul.h"

template <unsigned T>
__device__ void read_two(float (&numbers)[8], const float* row);

#define read_two(...) right_read_two(__VA_ARGS__)  // all but what follows is the answer
#include "../solution.cu"
#undef read_two

template <unsigned T>
__device__ void read_two(float (&numbers)[kSide], const float* row) {
  *reinterpret_cast<float4*>(numbers) = *reinterpret_cast<const float4*>(row);
  *reinterpret_cast<float4*>(numbers + kVector) = *reinterpret_cast<const float4*>(row + kVector);
}
