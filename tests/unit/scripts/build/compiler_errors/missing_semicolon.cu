// 4:3 -> is it missing at the end of the line before?
__global__ void k(const float* in, float* out, int n) {
  const int i = threadIdx.x
  if (i < n) out[i] = in[i];
}

