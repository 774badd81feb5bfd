// 6:3 -> a kernel is launched with the numbers of blocks and of threads a block: name<<<blocks, threads>>>(arguments)
__global__ void k(const float* in, float* out, int n) {
  out[0] = in[0];
}
void f(const float* in, float* out, int n) {
  k(in, out, n);
}

