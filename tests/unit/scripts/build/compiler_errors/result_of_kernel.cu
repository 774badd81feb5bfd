// 2:1 -> a kernel gives nothing back: write __global__ void, and store the result through a pointer
__global__ float k(const float* in) {
  return in[0];
}
