// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: 6 errors
// also with: -G
// A thread's own array has eight elements; the index comes from the data and may be 8.
#include "../planted.h"

#ifdef REPAIRED
constexpr int kDigits = 9;
#else
constexpr int kDigits = 8;
#endif

__global__ void count_digits(const int* in, int* out) {
  int counts[kDigits];
  for (int digit = 0; digit < kDigits; ++digit) counts[digit] = 0;
  for (int i = 0; i < 9; ++i) counts[in[i]] += 1;  // <- here
  *out = counts[in[3]];
}

int main() {
  const DeviceArray<int> in(9, 9), out(1);
  count_digits<<<1, 1>>>(in, out);
  return finish(out);
}
