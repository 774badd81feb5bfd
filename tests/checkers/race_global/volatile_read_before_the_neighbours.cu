// finds: race scope=warp hazard=write-after-read
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// Each lane reads its word, reads it again as volatile, reads its neighbour's, and then writes its own.
#include "../planted.h"

__global__ void add_neighbour(int* data, int* out) {
  const int t = threadIdx.x;
  const int own = data[t];
  const int again = *static_cast<volatile int*>(&data[t]);
  const int next = data[(t + 1) % 32];  // <- other
#ifdef REPAIRED
  __syncwarp();
#endif
  data[t] = own + again + 5;  // <- here
  out[t] = own + again + next;
}

int main() {
  const DeviceArray<int> data(32, 32), out(32);
  add_neighbour<<<1, 32>>>(data, out);
  return finish(data, out);
}
