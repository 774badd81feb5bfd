// 6:20 -> compare this argument with the function's parameter: is it another one's place, or is a cast missing?
__global__ void k(const float* in, float* out, int n) {
  out[0] = in[0];
}
void f(const float* in, float* out, int n) {
  k<<<1, 32>>>(in, n, out);
}

