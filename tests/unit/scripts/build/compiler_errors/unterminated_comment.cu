// 3:3 -> ?
__global__ void k(const float* in, float* out, int n) {
  /* load
  out[0] = in[0];
}

