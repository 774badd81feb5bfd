// finds: race scope=grid hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// Block 0 stores data, then raises a flag that block 1 waits for. Without a fence the flag may be seen before the data.
#include "../planted.h"

__global__ void produce_and_consume(int* data, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 42;  // <- other
#ifdef REPAIRED
    __threadfence();
#endif
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    *out = *data;  // <- here
  }
}

int main() {
  const DeviceArray<int> data(1), flag(1), out(1);
  produce_and_consume<<<2, 1>>>(data, flag, out);
  return finish(out);
}
