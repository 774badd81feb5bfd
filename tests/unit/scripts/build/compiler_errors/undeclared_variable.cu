// 3:7 -> is it declared above this line, in this function and these braces, and spelled the same?
__global__ void k(const float* in, float* out, int n) {
  if (i < n) out[i] = in[i];
}

