// SPDX-License-Identifier: MIT
// A programmatic dependent launch, which may begin before the launch before it has ended: early_launch waits|hurries.
// The second kernel waits for the first one, or it does not. It prints how many results are wrong.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

namespace {

constexpr int blocks = 4, threads = 64, size = blocks * threads;

__global__ void first(int* out) {
  cudaTriggerProgrammaticLaunchCompletion();
  out[blockIdx.x * threads + threadIdx.x] = 7;
}

template <bool waits>
__global__ void second(const int* in, int* out) {
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  if (waits) cudaGridDependencySynchronize();
  out[i] = in[i] + 1;
}

template <bool waits>
cudaError_t launch_both(int* between, int* out, cudaStream_t stream) {
  first<<<blocks, threads, 0, stream>>>(between);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = blocks;
  config.blockDim = threads;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, second<waits>, static_cast<const int*>(between), out);
}

}  // namespace

int main(int count, char** words) {
  const bool waits = count == 2 && std::strcmp(words[1], "waits") == 0;
  int *between = nullptr, *out = nullptr, results[size] = {};
  cudaStream_t stream = nullptr;
  cudaMalloc(&between, sizeof results);
  cudaMalloc(&out, sizeof results);
  cudaMemset(between, 0, sizeof results);
  cudaStreamCreate(&stream);
  cudaError_t error = (waits ? launch_both<true> : launch_both<false>)(between, out, stream);
  if (error == cudaSuccess) error = cudaMemcpyAsync(results, out, sizeof results, cudaMemcpyDeviceToHost, stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
  int wrong = 0;
  for (const int result : results) wrong += result != 8;
  std::printf("%s, %d wrong\n", cudaGetErrorName(error), wrong);
  cudaFree(between);
  cudaFree(out);
  cudaStreamDestroy(stream);
}
