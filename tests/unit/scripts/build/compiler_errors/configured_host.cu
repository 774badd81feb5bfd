// 4:3 -> only a kernel can be launched with <<<...>>>: does the function begin with __global__?
void h(float* out) {}
void f(const float* in, float* out, int n) {
  h<<<1, 32>>>(out);
}
