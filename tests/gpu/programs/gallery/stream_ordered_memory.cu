// SPDX-License-Identifier: MIT
// Memory that streams allocate and free, from the device's own pool, and used between the two without a wait of the
// host.
#include "gallery.h"

__global__ void fill(int* data, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = value + i;
}
__global__ void add(const int* a, const int* b, int* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] += a[i] * b[i];
}

bool program() {
  constexpr int n = 1000, rounds = 5;
  cudaMemPool_t pool = nullptr;
  unsigned long long keep = ~0ull, kept = 0;
  checkCudaErrors(cudaDeviceGetDefaultMemPool(&pool, 0));
  checkCudaErrors(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  checkCudaErrors(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept));
  cudaStream_t streams[2];
  cudaEvent_t filled;
  for (cudaStream_t& stream : streams) checkCudaErrors(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  checkCudaErrors(cudaEventCreateWithFlags(&filled, cudaEventDisableTiming));
  Buffer<int> sum(n);
  sum.clear();
  checkCudaErrors(cudaDeviceSynchronize());
  for (int round = 0; round < rounds; ++round) {
    int *a = nullptr, *b = nullptr;
    checkCudaErrors(cudaMallocAsync(&a, n * sizeof(int), streams[0]));
    checkCudaErrors(cudaMallocAsync(&b, n * sizeof(int), streams[1]));
    fill<<<blocks_for(n, 128), 128, 0, streams[0]>>>(a, n, round);
    fill<<<blocks_for(n, 128), 128, 0, streams[1]>>>(b, n, 2 * round);
    checkCudaErrors(cudaEventRecord(filled, streams[1]));
    checkCudaErrors(cudaStreamWaitEvent(streams[0], filled, 0));
    add<<<blocks_for(n, 128), 128, 0, streams[0]>>>(a, b, sum, n);
    checkCudaErrors(cudaFreeAsync(a, streams[0]));
    checkCudaErrors(cudaFreeAsync(b, streams[0]));
  }
  checkCudaErrors(cudaStreamSynchronize(streams[0]));
  checkCudaErrors(cudaMemPoolTrimTo(pool, 0));
  std::vector<int> expected(n, 0);
  for (int i = 0; i < n; ++i)
    for (int round = 0; round < rounds; ++round) expected[i] += (round + i) * (2 * round + i);
  const std::vector<int> got = sum.host();
  for (cudaStream_t stream : streams) checkCudaErrors(cudaStreamDestroy(stream));
  checkCudaErrors(cudaEventDestroy(filled));
  return kept == keep && got == expected;
}
