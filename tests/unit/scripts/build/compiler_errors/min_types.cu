// 5:7 -> min and max take two values of the same type: convert one of them with static_cast
#include <cstddef>
__global__ void k(const float* in, float* out, int n) {
  const std::size_t m = 3;
  out[min(n, m)] = in[0];
}

