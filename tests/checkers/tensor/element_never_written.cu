// finds: uninitialised use=result
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// The last column of a tile of A is never filled; every row of the product needs it.
#include <cuda_fp16.h>

#include "../planted.h"

#define LDMATRIX "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"

__global__ void multiply(const __half* in, float* out) {
  __shared__ __align__(16) __half tile[16][16];
  const unsigned t = threadIdx.x;
#ifdef REPAIRED
  const unsigned filled = 16;
#else
  const unsigned filled = 15;
#endif
  for (unsigned i = t; i < 256; i += 32) {
    if (i % 16 < filled) tile[i / 16][i % 16] = in[i];
  }
  __syncwarp();
  const auto row = static_cast<unsigned>(__cvta_generic_to_shared(&tile[t % 16][t / 16 * 8]));
  unsigned a[4];
  float c[4] = {};
  asm volatile(LDMATRIX : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(row));  // <- other
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %8}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(0x3c003c00));
  for (unsigned i = 0; i < 4; ++i) out[4 * t + i] = c[i];  // <- here
}

int main() {
  const DeviceArray<__half> in(256);
  const DeviceArray<float> out(128);
  multiply<<<1, 32>>>(in, out);
  return finish(out);
}
