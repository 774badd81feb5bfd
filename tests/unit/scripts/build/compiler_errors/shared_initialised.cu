// 3:3 -> shared memory begins without values: let the threads store them, and then wait at a __syncthreads()
__global__ void k(const float* in, float* out, int n) {
  __shared__ float values[32] = {0};
  out[0] = values[0];
}

