// 6:23 -> compare what is handed over with the function's parameters, one by one
__global__ void k(const float* in, float* out, int n) {
  out[0] = in[0];
}
void f(const float* in, float* out, int n) {
  k<<<1, 32>>>(in, out);
}

