// SPDX-License-Identifier: MIT
// Wrong on purpose: writes a product out by the places of the fragment's elements, as hardware happens to lay them out.
// CUDA leaves the layout of wmma's fragments open, so a program may only do the same to each element. Exit status 1
// where the layout is another one: on the simulator in the adversarial order.
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdio>

__global__ void multiply(float* out) {
  using namespace nvcuda;
  __shared__ __align__(32) __half a[256], b[256];
  for (int i = threadIdx.x; i < 256; i += 32) {
    a[i] = __int2half_rn(i % 16 == i / 16);
    b[i] = __int2half_rn(i);
  }
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(left, a, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::mma_sync(sum, left, right, sum);
  for (int i = 0; i < sum.num_elements; ++i) {
    const int row = threadIdx.x / 4 + 8 * (i / 2 % 2), column = threadIdx.x % 4 * 2 + i % 2 + 8 * (i / 4);
    out[16 * row + column] = sum.x[i];
  }
}

int main() {
  float* out = nullptr;
  cudaMalloc(&out, 1024);
  multiply<<<1, 32>>>(out);
  float host[256];
  if (cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
  cudaFree(out);
  int wrong = 0;
  for (int i = 0; i < 256; ++i) wrong += host[i] != static_cast<float>(i);
  std::printf("%d of 256 elements are not where hardware has them\n", wrong);
  return wrong == 0 ? 0 : 1;
}
