// 4:15 -> a kernel can call only what is compiled for the device too: put __device__ before a function of your own, and take CUDA's own min instead of std::min, for example. You do not need a flag for it
#include <algorithm>
__global__ void k(const float* in, float* out, int n) {
  out[0] = in[std::min(n, 3)];
}

