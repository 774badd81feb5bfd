// finds: misaligned
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: 37 errors
// Four floats at once need an address that is a multiple of 16 bytes; one float further on it is not.
#include "../planted.h"

#ifdef REPAIRED
constexpr int kOffset = 4;
#else
constexpr int kOffset = 1;
#endif

__global__ void copy(const float* in, float4* out) {
  const int t = threadIdx.x;
  out[t] = reinterpret_cast<const float4*>(in + kOffset)[t];  // <- here
}

int main() {
  const DeviceArray<float> in(132, 132);
  const DeviceArray<float> out(128);
  copy<<<1, 32>>>(in, reinterpret_cast<float4*>(static_cast<float*>(out)));
  return finish(out);
}
