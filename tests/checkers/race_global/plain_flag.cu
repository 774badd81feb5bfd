// finds: race scope=grid hazard=write-after-read
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// The fences are there, but the flag itself is an ordinary variable: the compiler may read it once and then never
// again.
#include "../planted.h"

#ifdef REPAIRED
using Flag = volatile int;
#else
using Flag = int;
#endif

__global__ void produce_and_consume(int* data, Flag* flag, int* out) {
  if (blockIdx.x == 1) {
    *data = 42;  // <- also
    __threadfence();
    *flag = 1;  // <- here
  } else {
    while (*flag == 0) __threadfence();  // <- other
    __threadfence();
    *out = *data;  // <- also
  }
}

int main() {
  const DeviceArray<int> data(1), flag(1), out(1);
  produce_and_consume<<<2, 1>>>(data, flag, out);
  return finish(out);
}
