// 7:3 -> a launch returns nothing that CUDA_CHECK could look at: launch in a statement of its own, and write CUDA_CHECK(cudaGetLastError()); behind it
#include "workbook/student/cuda_check.h"
__global__ void k(const float* in, float* out, int n) {
  out[0] = in[0];
}
void f(const float* in, float* out, int n) {
  CUDA_CHECK(k<<<1, 32>>>(in, out, n));
}

