// finds: uninitialised use=result
// SPDX-License-Identifier: MIT
// compute-sanitizer: initcheck: 48 errors
// cudaMemset counts bytes: 64 of them are a quarter of 64 floats.
#include "../planted.h"

__global__ void accumulate(const float* in, float* out) {
  const float sum = out[threadIdx.x] + in[threadIdx.x];  // <- other
  out[threadIdx.x] = sum;                                // <- here
}

int main() {
  const DeviceArray<float> in(64, 64), out(64, Unwritten{});
#ifdef REPAIRED
  must(cudaMemset(out, 0, 64 * sizeof(float)));
#else
  must(cudaMemset(out, 0, 64));
#endif
  accumulate<<<1, 64>>>(in, out);
  return finish(out);
}
