// 3:14 -> what a pointer to const points at is only read, and stays so: the new pointer must be one to const too
__global__ void k(const float* in, float* out, int n) {
  float* p = in;
  out[0] = p[0];
}

