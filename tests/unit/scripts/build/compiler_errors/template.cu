// 7:3 -> does the call give the template's arguments, constants, as in name<8><<<blocks, threads>>>(...), and do the types of the other arguments fit?
template <int N>
__global__ void k(const float* in, float* out, int n) {
  out[0] = in[N];
}
void f(const float* in, float* out, int n) {
  k<<<1, 32>>>(in, out, n);
}

