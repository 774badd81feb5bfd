// 3:17 -> did you mean threadIdx?
__global__ void k(const float* in, float* out, int n) {
  const int i = threadIdX.x;
  if (i < n) out[i] = in[i];
}

