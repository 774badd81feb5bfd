// 2:1 -> from here on, a { is not closed by a } of its own
__global__ void k(const float* in, float* out, int n) {
  if (threadIdx.x < n) {
    out[0] = in[0];
}
int g() { return 1; }
