// finds: misaligned severity=warning
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: ldmatrix: lane 16 gives an address that is no row of 16 bytes in shared memory
// An ldmatrix.x2 reads the rows of 16 lanes. For sm_75 the other lanes must give a valid address, too.
#include <cstdint>

#include "../planted.h"

__global__ void load(unsigned* out) {
  __shared__ __align__(16) std::uint16_t tile[16 * 8];
  const unsigned t = threadIdx.x;
  for (unsigned i = t; i < 128; i += 32) tile[i] = static_cast<std::uint16_t>(i);
  __syncwarp();
#ifdef REPAIRED
  const std::uint16_t* const row = tile + t % 16 * 8;
#else
  const std::uint16_t* const row = tile + t * 8;
#endif
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  unsigned a = 0, b = 0;
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(a), "=r"(b)
               : "r"(address));  // <- here
  out[t] = a + b;
}

int main() {
  const DeviceArray<unsigned> out(32);
  load<<<1, 32>>>(out);
  return finish(out);
}
