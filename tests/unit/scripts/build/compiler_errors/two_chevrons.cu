// 6:3 -> is it a launch? Then it takes three on each side: <<<blocks, threads>>>
__global__ void k(const float* in, float* out, int n) {
  out[0] = in[0];
}
void f(const float* in, float* out, int n) {
  k<<1, 32>>(in, out, n);
}

