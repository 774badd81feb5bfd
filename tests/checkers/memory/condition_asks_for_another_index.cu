// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: line 18 asks for the index already, and lets it pass
// says: Does it ask for another index than this one?
// The condition asks for the thread's column where its row may not exist. It stands in the statement that reads.
// The statement is in a loop.
#include "../planted.h"

__global__ void add_rows(const float* in, float* out, unsigned rows) {
  const unsigned x = threadIdx.x, y = threadIdx.y;
  float sum = 0.0f;
#pragma unroll 1
  for (unsigned from = 0; from < rows; from += 8) {
#ifdef REPAIRED
    sum += from + y < rows ? in[(from + y) * 8 + x] : 0.0f;
#else
    sum += from + x < rows ? in[(from + y) * 8 + x] : 0.0f;  // <- here
#endif
  }
  out[y * 8 + x] = sum;
}

int main() {
  const DeviceArray<float> in(96, 96), out(64);
  add_rows<<<1, dim3(8, 8)>>>(in, out, 12);
  return finish(out);
}
