// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// Four coefficients, and a loop that reads five.
#include "../planted.h"

__constant__ float coefficients[4] = {1, 2, 3, 4};

__global__ void evaluate(float x, float* out, int terms) {
  float sum = 0.0f;
  for (int i = 0; i < terms; ++i) sum = sum * x + coefficients[i];  // <- here
  *out = sum;
}

int main() {
  const DeviceArray<float> out(1);
#ifdef REPAIRED
  evaluate<<<1, 1>>>(2.0f, out, 4);
#else
  evaluate<<<1, 1>>>(2.0f, out, 5);
#endif
  return finish(out);
}
