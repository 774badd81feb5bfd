// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: cub::BlockSum is made for blocks of 128 threads here, and this block has 32
// An algorithm of a whole block is compiled for a number of threads, and the launch has another. This one has the form
// of those in CUB: the number is the first argument of its template that is one.
#include "../planted.h"

namespace cub {
template <typename Number, int kThreads>
struct BlockSum {
  static __device__ void store(const Number* in, Number* out) {
    out[threadIdx.x] = in[threadIdx.x * (kThreads / 32)];  // <- here
  }
};
}  // namespace cub

#ifdef REPAIRED
constexpr int kThreads = 32;
#else
constexpr int kThreads = 128;
#endif

__global__ void sum(const float* in, float* out) { cub::BlockSum<float, kThreads>::store(in, out); }

int main() {
  const DeviceArray<float> in(32, 32), out(32);
  sum<<<1, 32>>>(in, out);
  return finish(out);
}
