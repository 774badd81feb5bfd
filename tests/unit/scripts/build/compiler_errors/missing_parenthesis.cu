// 3:23 -> is it missing before the place that is marked?
__global__ void k(const float* in, float* out, int n) {
  if (threadIdx.x < n out[0] = in[0];
}

