// 3:3 -> this exists only on the device: call it in a kernel, or in a function with __device__ before it
void f(const float* in, float* out, int n) {
  __syncthreads();
  out[0] = in[0];
}
