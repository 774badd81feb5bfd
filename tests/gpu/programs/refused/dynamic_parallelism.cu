// SPDX-License-Identifier: MIT
// A kernel that launches a kernel, which the simulator leaves out: exits with 0 when that is cudaErrorNotSupported.
#include "../samples/helper_cuda.h"

__global__ void child(int* out) { *out = 7; }

__global__ void parent(int* out) {
  child<<<1, 1>>>(out);  // the launch
}

int main() {
  int* out = nullptr;
  checkCudaErrors(cudaMalloc(&out, sizeof(int)));
  parent<<<1, 1>>>(out);
  const cudaError_t error = cudaGetLastError();
  std::printf("dynamic-parallelism: %s\n", cudaGetErrorName(error));
  return error == cudaErrorNotSupported ? EXIT_SUCCESS : EXIT_FAILURE;
}
