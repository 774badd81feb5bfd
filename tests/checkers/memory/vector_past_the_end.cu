// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: 6 errors
// says: it begins 8 bytes before the end of the 130 elements of 4 bytes (520 bytes)
// says: one access takes 4 elements of 4 bytes, and only 2 elements of 4 bytes are left in the buffer from there on
// does not say: too small
// Four floats at once: the index of the first of them is below n, that of the last is not.
#include "../planted.h"

#ifdef REPAIRED
constexpr int kLast = 3;
#else
constexpr int kLast = 0;
#endif

__global__ void copy(const float* in, int n, float* out) {
  const int first = 4 * threadIdx.x;
  if (first + kLast < n) {
    *reinterpret_cast<float4*>(out + first) = *reinterpret_cast<const float4*>(in + first);  // <- here
  } else {
    for (int i = first; i < n; ++i) out[i] = in[i];
  }
}

int main() {
  const int n = 130;
  const DeviceArray<float> in(n, n);
  const DeviceArray<float> out(n);
  copy<<<1, 64>>>(in, n, out);
  return finish(out);
}
