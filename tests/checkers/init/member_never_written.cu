// finds: uninitialised use=result
// SPDX-License-Identifier: MIT
// compute-sanitizer: initcheck: 64 errors; of the repaired program too: initcheck
// Three bytes of padding in each pair are never written, are copied with it, and reach the host: that is no bug. A
// member that nobody wrote is one.
#include "../planted.h"

struct alignas(8) Pair {
  char key;
  int value;
};

__global__ void fill(Pair* pairs) {
  pairs[threadIdx.x].key = static_cast<char>(threadIdx.x);
#ifdef REPAIRED
  pairs[threadIdx.x].value = 2 * threadIdx.x;
#endif
}

__global__ void copy(const Pair* in, Pair* out, int* values) {
  const int2 whole = reinterpret_cast<const int2*>(in)[threadIdx.x];
  reinterpret_cast<int2*>(out)[threadIdx.x] = whole;  // <- also
  const int value = in[threadIdx.x].value;            // <- other
  values[threadIdx.x] = value + 1;                    // <- here
}

int main() {
  const DeviceArray<Pair> pairs(32, Unwritten{}), copied(32, Unwritten{});
  const DeviceArray<int> values(32);
  fill<<<1, 32>>>(pairs);
  copy<<<1, 32>>>(pairs, copied, values);
  return finish(copied, values);
}
