// finds: endless-loop
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// A binary search that never leaves a range of one. The loop asks a function for the middle, and its place is the
// loop's condition, not a line of the function.
#include "../planted.h"

__device__ unsigned middle(unsigned left, unsigned right) {
  const unsigned width = right - left;
  return left + (width < 64 ? width / 2 : width / 32 * 17);
}

__global__ void search(const unsigned* keys, unsigned n, unsigned* places) {
  unsigned left = 0, right = n;
  while (left < right) {  // <- here
    const unsigned asked = middle(left, right);
    if (keys[asked] < threadIdx.x) {
#ifdef REPAIRED
      left = asked + 1;
#else
      left = asked;
#endif
    } else {
      right = asked;
    }
  }
  places[threadIdx.x] = left;
}

int main() {
  only_on_the_simulator();
  const DeviceArray<unsigned> keys(16, 16), places(32);
  search<<<1, 32>>>(keys, 16, places);
  return finish(places);
}
