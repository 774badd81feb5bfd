// 4:3 -> a kernel does not see the host's variables: hand the value over as a parameter, or declare it constexpr
float table[4] = {1, 2, 3, 4};
__global__ void k(const float* in, float* out, int n) {
  out[0] = table[n];
}

