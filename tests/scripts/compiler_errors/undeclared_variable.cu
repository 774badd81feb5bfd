// 3:7 -> is it declared above this line, and spelled the same?
__global__ void k(const float* in, float* out, int n) {
  if (i < n) out[i] = in[i];
}

