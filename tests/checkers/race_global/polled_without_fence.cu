// finds: race scope=grid hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: `volatile` orders nothing around it: put __threadfence() after it
// Block 1 waits for the flag of block 0 and reads the data at once: they may have been loaded before the flag was.
#include "../planted.h"

__global__ void produce_and_consume(int* data, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 42;  // <- other
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
#ifdef REPAIRED
    __threadfence();
#endif
    *out = *data;  // <- here
  }
}

int main() {
  const DeviceArray<int> data(1), flag(1), out(1);
  produce_and_consume<<<2, 1>>>(data, flag, out);
  return finish(out);
}
