// 3:10 -> what a function gives back is declared before its name; a kernel is void, and stores its result through a pointer
__global__ void k(const float* in, float* out, int n) {
  return in[0];
}

