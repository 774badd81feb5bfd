// refused: not-the-step: C is stored number by number, though its tiles are whole and four numbers are a vector
// SPDX-License-Identifier: MIT
// hint: step-requests
#include <cstddef>

#include "workbook/student/matmul.h"

struct Wrong {};
__device__ void store_four(Wrong, const workbook::Matrix& c, std::size_t i, std::size_t j, bool whole, float4 numbers);

// In the answer's definition `Wrong()` is the type of a function, in its call an object: so it comes to this one.
#define store_four(...) store_four(Wrong(), __VA_ARGS__)
#include "../solution.cu"
#undef store_four

__device__ void store_four(Wrong, const workbook::Matrix& c, std::size_t i, std::size_t j, bool, float4 numbers) {
  const float each[kVector] = {numbers.x, numbers.y, numbers.z, numbers.w};
  for (unsigned n = 0; n < kVector; ++n) {
    if (i < c.rows && j + n < c.columns) c.data[i * c.pitch + j + n] = each[n];
  }
}
