// 3:26 -> threadIdx, blockIdx, blockDim and gridDim have three parts each: take .x (and .y, .z)
__global__ void k(const float* in, float* out, int n) {
  const int i = blockIdx * blockDim + threadIdx;
  out[i] = in[i];
}

