// 6:20 -> is the order of the arguments that of the function's parameters?
__global__ void k(const float* in, float* out, int n) {
  out[0] = in[0];
}
void f(const float* in, float* out, int n) {
  k<<<1, 32>>>(in, n, out);
}

