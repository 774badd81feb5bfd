// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: 21 errors
// says: has a product of ints grown above 2147483647?
// The product does not fit into an int: it becomes negative, and so does the rest of the division.
#include "../planted.h"

#ifdef REPAIRED
using Hash = unsigned;
#else
using Hash = int;
#endif

__global__ void scatter(const int* keys, int* slots) {
  const Hash hash = static_cast<Hash>(keys[threadIdx.x]) * 1103515245;
  atomicAdd(&slots[hash % 64], 1);  // <- here
}

int main() {
  const DeviceArray<int> keys(32, 32), slots(64);
  scatter<<<1, 32>>>(keys, slots);
  return finish(slots);
}
