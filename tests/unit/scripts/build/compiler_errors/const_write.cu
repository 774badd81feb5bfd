// 3:3 -> only what is not const can be changed: is it declared const, or behind a pointer to const?
__global__ void k(const float* in, float* out, int n) {
  in[0] = out[0];
}

