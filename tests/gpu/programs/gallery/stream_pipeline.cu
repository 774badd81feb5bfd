// SPDX-License-Identifier: MIT
// Work cut into pieces that go through three streams, with copies from and to pinned memory. Events stand where one
// stream needs what another has done, and a function of the host at the end.
#include "gallery.h"

__global__ void square(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}
__global__ void add_to(const int* in, int* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] += in[i];
}

void count_up(void* counter) { ++*static_cast<int*>(counter); }

bool program() {
  constexpr int pieces = 6, n = 500;
  int *pinned = nullptr, done = 0;
  checkCudaErrors(cudaHostAlloc(&pinned, (pieces + 1) * n * sizeof(int), cudaHostAllocDefault));
  std::vector<int> expected(n, 0);
  for (int i = 0; i < pieces * n; ++i) {
    pinned[i] = static_cast<int>(scramble(i) % 1000);
    expected[i % n] += pinned[i] * pinned[i];
  }
  cudaStream_t copying, computing, adding;
  for (cudaStream_t* stream : {&copying, &computing, &adding}) checkCudaErrors(cudaStreamCreate(stream));
  cudaEvent_t copied[2], computed[2], added[2];
  for (int i = 0; i < 2; ++i)
    for (cudaEvent_t* event : {&copied[i], &computed[i], &added[i]})
      checkCudaErrors(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
  Buffer<int> in(2 * n), squares(2 * n), sum(n);
  checkCudaErrors(cudaMemsetAsync(sum, 0, n * sizeof(int), adding));
  for (int piece = 0; piece < pieces; ++piece) {
    const int half = piece % 2;
    if (piece >= 2) checkCudaErrors(cudaStreamWaitEvent(copying, computed[half], 0));  // its input is free again
    checkCudaErrors(
        cudaMemcpyAsync(in + half * n, pinned + piece * n, n * sizeof(int), cudaMemcpyHostToDevice, copying));
    checkCudaErrors(cudaEventRecord(copied[half], copying));
    checkCudaErrors(cudaStreamWaitEvent(computing, copied[half], 0));
    if (piece >= 2) checkCudaErrors(cudaStreamWaitEvent(computing, added[half], 0));
    square<<<blocks_for(n, 128), 128, 0, computing>>>(in + half * n, squares + half * n, n);
    checkCudaErrors(cudaEventRecord(computed[half], computing));
    checkCudaErrors(cudaStreamWaitEvent(adding, computed[half], 0));
    add_to<<<blocks_for(n, 128), 128, 0, adding>>>(squares + half * n, sum, n);
    checkCudaErrors(cudaEventRecord(added[half], adding));
  }
  checkCudaErrors(cudaMemcpyAsync(pinned + pieces * n, sum, n * sizeof(int), cudaMemcpyDeviceToHost, adding));
  checkCudaErrors(cudaLaunchHostFunc(adding, count_up, &done));
  checkCudaErrors(cudaStreamSynchronize(adding));
  const bool right = std::equal(expected.begin(), expected.end(), pinned + pieces * n) && done == 1;
  for (cudaStream_t stream : {copying, computing, adding}) checkCudaErrors(cudaStreamDestroy(stream));
  for (int i = 0; i < 2; ++i)
    for (cudaEvent_t event : {copied[i], computed[i], added[i]}) checkCudaErrors(cudaEventDestroy(event));
  checkCudaErrors(cudaFreeHost(pinned));
  return right;
}
