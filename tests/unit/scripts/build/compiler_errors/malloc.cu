// 5:3 -> cudaMalloc stores an address in your pointer, so it takes the pointer's own address, and then a number of bytes: cudaMalloc(&pointer, bytes)
#include <cuda_runtime.h>
void f(const float* in, float* out, int n) {
  float* p;
  cudaMalloc(p, n * sizeof(float));
}
