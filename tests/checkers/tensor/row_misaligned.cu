// finds: misaligned
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: 9 errors
// says: is not a multiple of 16
// Rows of a tile are padded by two elements against bank conflicts; a row of ldmatrix must begin at a multiple of 16
// bytes.
#include <cuda_fp16.h>

#include "../planted.h"

#ifdef REPAIRED
constexpr int kPadding = 8;
#else
constexpr int kPadding = 2;
#endif

__global__ void load(unsigned* out) {
  __shared__ __align__(16) __half tile[8][8 + kPadding];
  const unsigned t = threadIdx.x;
  for (unsigned i = t; i < 8 * (8 + kPadding); i += 32) tile[i / (8 + kPadding)][i % (8 + kPadding)] = __int2half_rn(1);
  __syncwarp();
  const auto row = static_cast<unsigned>(__cvta_generic_to_shared(&tile[t % 8][0]));
  unsigned r;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(row));  // <- here
  out[t] = r;
}

int main() {
  const DeviceArray<unsigned> out(32);
  load<<<1, 32>>>(out);
  return finish(out);
}
