// finds: race scope=block hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 error
// Four warps share each word, a byte each. Who changes a byte by writing back the whole word undoes what the other
// warps store meanwhile. Distinct bytes of one word, stored as bytes by distinct threads, are no race.
#include "../planted.h"

__global__ void pack(unsigned* out) {
  __shared__ unsigned words[32];
  unsigned char* bytes = reinterpret_cast<unsigned char*>(words);
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  bytes[t] = 0;  // neighbouring lanes, neighbouring bytes
  __syncthreads();
#ifdef REPAIRED
  bytes[4 * lane + warp] = static_cast<unsigned char>(t);
#else
  words[lane] |= t << (8 * warp);  // <- here and other
#endif
  __syncthreads();
  if (t < 32) out[t] = words[t];
}

int main() {
  const DeviceArray<unsigned> out(32);
  pack<<<1, 128>>>(out);
  return finish(out);
}
