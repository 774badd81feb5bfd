// finds: warp-mask
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked, as a GPU would not end
// says: an instruction of all 32 lanes of a warp, and 31 come to it
// The last lane has no row of its own and skips the product, which all lanes of the warp make together.
#include "../planted.h"

#define MMA                                             \
  "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 " \
  "{%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, {%0, %1, %2, %3};"

__global__ void multiply(float* out) {
  const unsigned t = threadIdx.x;
  float c[4] = {};
#ifdef REPAIRED
  const bool takes_part = true;
#else
  const bool takes_part = t != 31;
#endif
  if (takes_part) {
    asm volatile(MMA : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(0x3f800000));  // <- here
  }
  out[t] = c[0] + c[1] + c[2] + c[3];
}

int main() {
  only_on_the_simulator();
  const DeviceArray<float> out(32);
  multiply<<<1, 32>>>(out);
  return finish(out);
}
