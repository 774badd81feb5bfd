// finds: race scope=warp hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 4 warnings
// A warp stores a product to shared memory and reads other lanes' elements of it: the store orders nothing.
#include <cuda_fp16.h>
#include <mma.h>

#include "../planted.h"

__global__ void multiply(float* out) {
  using namespace nvcuda;
  __shared__ __align__(32) float tile[256];
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 1.0f);
  wmma::store_matrix_sync(tile, c, 16, wmma::mem_row_major);  // <- other
#ifdef REPAIRED
  __syncwarp();
#endif
  for (unsigned i = threadIdx.x; i < 256; i += 32) out[i] = tile[i];  // <- here
}

int main() {
  const DeviceArray<float> out(256);
  multiply<<<1, 32>>>(out);
  return finish(out);
}
