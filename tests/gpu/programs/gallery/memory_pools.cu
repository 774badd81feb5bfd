// SPDX-License-Identifier: MIT
// A pyramid of sums, each level in memory of a pool that the program has made. The memory is allocated and freed in the
// order of a stream, so that no level waits for the host. The program looks at the pool's attributes along the way.
#include "gallery.h"

__global__ void sum_pairs(const int* in, int n, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i < n) out[i] = in[2 * i] + (2 * i + 1 < n ? in[2 * i + 1] : 0);
}

unsigned long long of(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  unsigned long long value = 0;
  checkCudaErrors(cudaMemPoolGetAttribute(pool, attribute, &value));
  return value;
}

bool program() {
  constexpr int n = 3000, rounds = 3;
  std::vector<int> in(n);
  int expected = 0;
  for (int i = 0; i < n; ++i) expected += in[i] = static_cast<int>(scramble(static_cast<unsigned>(i)) % 1000);
  Buffer<int> first(in);
  cudaStream_t stream;
  checkCudaErrors(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  checkCudaErrors(cudaDeviceSynchronize());

  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = 0;
  cudaMemPool_t pool = nullptr, before = nullptr;
  checkCudaErrors(cudaMemPoolCreate(&pool, &properties));
  unsigned long long keep = 1 << 20;
  checkCudaErrors(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  checkCudaErrors(cudaDeviceGetMemPool(&before, 0));
  checkCudaErrors(cudaDeviceSetMemPool(0, pool));

  bool right = of(pool, cudaMemPoolAttrUsedMemCurrent) == 0;
  for (int round = 0; round < rounds; ++round) {
    int left = n, result = 0;
    const int* level = first;
    while (left > 1) {
      const int half = (left + 1) / 2;
      int* next = nullptr;
      // The pool of the device is this one now, so both calls come to the same.
      if (round == 0) {
        checkCudaErrors(cudaMallocFromPoolAsync(&next, half * sizeof(int), pool, stream));
      } else {
        checkCudaErrors(cudaMallocAsync(&next, half * sizeof(int), stream));
      }
      sum_pairs<<<blocks_for(half, 128), 128, 0, stream>>>(level, left, next);
      checkCudaErrors(cudaGetLastError());
      if (level != first) checkCudaErrors(cudaFreeAsync(const_cast<int*>(level), stream));
      level = next;
      left = half;
    }
    checkCudaErrors(cudaMemcpyAsync(&result, level, sizeof result, cudaMemcpyDeviceToHost, stream));
    checkCudaErrors(cudaFreeAsync(const_cast<int*>(level), stream));
    checkCudaErrors(cudaStreamSynchronize(stream));
    right = right && result == expected;
  }
  right = right && of(pool, cudaMemPoolAttrUsedMemCurrent) == 0 &&
          of(pool, cudaMemPoolAttrUsedMemHigh) >= (n / 2) * sizeof(int) &&
          of(pool, cudaMemPoolAttrReleaseThreshold) == keep;
  checkCudaErrors(cudaMemPoolTrimTo(pool, 0));
  right = right && of(pool, cudaMemPoolAttrReservedMemCurrent) == 0;
  checkCudaErrors(cudaDeviceSetMemPool(0, before));
  checkCudaErrors(cudaMemPoolDestroy(pool));
  checkCudaErrors(cudaStreamDestroy(stream));
  return right;
}
