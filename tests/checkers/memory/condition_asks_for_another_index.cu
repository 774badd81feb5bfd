// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: line 13 asks for the index already, and lets it pass: is it `<=` for `<`? Does it ask for another index than this one?
// The condition asks for the thread's column where its row may not exist. It is in the statement that reads.
#include "../planted.h"

__global__ void copy_rows(const float* in, float* out, unsigned from, unsigned rows) {
  const unsigned x = threadIdx.x, y = threadIdx.y;
#ifdef REPAIRED
  out[y * 8 + x] = from + y < rows ? in[(from + y) * 8 + x] : 0.0f;
#else
  out[y * 8 + x] = from + x < rows ? in[(from + y) * 8 + x] : 0.0f;  // <- here
#endif
}

int main() {
  const DeviceArray<float> in(32, 32), out(64);
  copy_rows<<<1, dim3(8, 8)>>>(in, out, 2, 4);
  return finish(out);
}
