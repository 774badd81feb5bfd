// finds: race scope=block hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 error
// says: put __syncthreads() between lines
// A tile is filled by the whole block, and a warp loads fragments of another warp's part before that is done.
#include <cuda_fp16.h>

#include "../planted.h"

#define LDMATRIX "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"

__global__ void load(const __half* in, unsigned* out) {
  __shared__ __align__(16) __half tile[64][8];
  const unsigned t = threadIdx.x, lane = t % 32;
  for (unsigned i = 0; i < 8; ++i) tile[t][i] = __half{};
  __syncthreads();
  for (unsigned i = 0; i < 8; ++i) tile[t][i] = in[8 * t + i];  // <- other
#ifdef REPAIRED
  __syncthreads();
#else
  __syncwarp();
#endif
  const auto row = static_cast<unsigned>(__cvta_generic_to_shared(&tile[lane][0]));
  unsigned r[4];
  asm volatile(LDMATRIX : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row));  // <- here
  out[t] = r[0] ^ r[1] ^ r[2] ^ r[3];
}

int main() {
  const DeviceArray<__half> in(512);
  const DeviceArray<unsigned> out(64);
  load<<<1, 64>>>(in, out);
  return finish(out);
}
