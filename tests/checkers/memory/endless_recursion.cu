// finds: stack-overflow
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: 4 errors
// The recursion ends at 1, and 0 never gets there.
#include "../planted.h"

__device__ __noinline__ int steps(int n) {
#ifdef REPAIRED
  if (n <= 1) return 0;
#else
  if (n == 1) return 0;
#endif
  return 1 + steps(n / 2) * (n % 2 + 1);  // <- here
}

__global__ void count_steps(int* out, int n) { *out = steps(n); }

int main() {
  const DeviceArray<int> out(1);
  count_steps<<<1, 1>>>(out, 0);
  return finish(out);
}
