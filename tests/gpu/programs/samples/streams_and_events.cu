// SPDX-License-Identifier: MIT
// Copies and kernels that overlap. Pinned memory is cut into pieces. Each piece is copied in, transformed and copied
// out in a stream of its own. Events order the streams and take the time; a host function is called when the last piece
// is done.
#include <cmath>
#include <vector>

#include "helper_cuda.h"

constexpr int piece_count = 4;
constexpr int piece_size = 1 << 14;
constexpr int size = piece_count * piece_size;

__global__ void transform(const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float x = in[i];
    out[i] = sqrtf(x) * 0.5f + x;
  }
}

__global__ void sum_pieces(const float* in, double* sums) {
  __shared__ double partial[256];
  double sum = 0;
  for (int i = threadIdx.x; i < piece_size; i += blockDim.x) sum += in[blockIdx.x * piece_size + i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

struct Progress {
  int calls = 0;
  double* sums = nullptr;
  double total = 0;
};

void CUDART_CB add_up(void* data) {
  auto* progress = static_cast<Progress*>(data);
  ++progress->calls;
  for (int i = 0; i < piece_count; ++i) progress->total += progress->sums[i];
}

void CUDART_CB count_call(cudaStream_t, cudaError_t status, void* data) {
  if (status == cudaSuccess) ++*static_cast<int*>(data);
}

int main() {
  float *h_in = nullptr, *h_out = nullptr, *d_in = nullptr, *d_out = nullptr;
  double *h_sums = nullptr, *d_sums = nullptr;
  checkCudaErrors(cudaMallocHost(&h_in, size * sizeof(float)));
  checkCudaErrors(cudaHostAlloc(&h_out, size * sizeof(float), cudaHostAllocDefault));
  checkCudaErrors(cudaMallocHost(&h_sums, piece_count * sizeof(double)));
  checkCudaErrors(cudaMalloc(&d_in, size * sizeof(float)));
  checkCudaErrors(cudaMalloc(&d_out, size * sizeof(float)));
  checkCudaErrors(cudaMalloc(&d_sums, piece_count * sizeof(double)));
  for (int i = 0; i < size; ++i) h_in[i] = static_cast<float>(i % 1000);

  int least = 0, greatest = 0;
  checkCudaErrors(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  cudaStream_t streams[piece_count], summing;
  cudaEvent_t done[piece_count], start, stop;
  for (int i = 0; i < piece_count; ++i) {
    checkCudaErrors(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    checkCudaErrors(cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming));
  }
  checkCudaErrors(cudaStreamCreateWithPriority(&summing, cudaStreamNonBlocking, greatest));
  checkCudaErrors(cudaEventCreate(&start));
  checkCudaErrors(cudaEventCreate(&stop));

  int callbacks = 0;
  Progress progress;
  progress.sums = h_sums;
  checkCudaErrors(cudaEventRecord(start, summing));
  for (int i = 0; i < piece_count; ++i) {
    const int offset = i * piece_size;
    checkCudaErrors(cudaStreamWaitEvent(streams[i], start, 0));
    checkCudaErrors(
        cudaMemcpyAsync(d_in + offset, h_in + offset, piece_size * sizeof(float), cudaMemcpyHostToDevice, streams[i]));
    transform<<<32, 128, 0, streams[i]>>>(d_in + offset, d_out + offset, piece_size);
    checkCudaErrors(cudaGetLastError());
    checkCudaErrors(cudaMemcpyAsync(h_out + offset, d_out + offset, piece_size * sizeof(float), cudaMemcpyDeviceToHost,
                                    streams[i]));
    checkCudaErrors(cudaEventRecord(done[i], streams[i]));
    checkCudaErrors(cudaStreamWaitEvent(summing, done[i], 0));
  }
  checkCudaErrors(cudaStreamAddCallback(streams[0], count_call, &callbacks, 0));
  sum_pieces<<<piece_count, 256, 0, summing>>>(d_out, d_sums);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaMemcpyAsync(h_sums, d_sums, piece_count * sizeof(double), cudaMemcpyDeviceToHost, summing));
  checkCudaErrors(cudaLaunchHostFunc(summing, add_up, &progress));
  checkCudaErrors(cudaEventRecord(stop, summing));

  int polls = 0;
  while (cudaEventQuery(stop) == cudaErrorNotReady) ++polls;
  checkCudaErrors(cudaEventSynchronize(stop));
  for (cudaStream_t stream : streams) checkCudaErrors(cudaStreamSynchronize(stream));
  checkCudaErrors(cudaStreamQuery(summing));
  float time_ms = -1;
  checkCudaErrors(cudaEventElapsedTime(&time_ms, start, stop));
  std::printf("%d pieces in %.3f ms, asked %d times meanwhile\n", piece_count, time_ms, polls);

  bool passed = progress.calls == 1 && callbacks == 1 && time_ms >= 0;
  double expected_total = 0;
  for (int i = 0; i < size; ++i) {
    const float expected = std::sqrt(h_in[i]) * 0.5f + h_in[i];
    passed = passed && std::fabs(h_out[i] - expected) <= 1e-5f * expected;
    expected_total += h_out[i];
  }
  passed = passed && std::fabs(progress.total - expected_total) <= 1e-9 * expected_total;

  for (int i = 0; i < piece_count; ++i) {
    checkCudaErrors(cudaStreamDestroy(streams[i]));
    checkCudaErrors(cudaEventDestroy(done[i]));
  }
  checkCudaErrors(cudaStreamDestroy(summing));
  checkCudaErrors(cudaEventDestroy(start));
  checkCudaErrors(cudaEventDestroy(stop));
  checkCudaErrors(cudaFreeHost(h_in));
  checkCudaErrors(cudaFreeHost(h_out));
  checkCudaErrors(cudaFreeHost(h_sums));
  checkCudaErrors(cudaFree(d_in));
  checkCudaErrors(cudaFree(d_out));
  checkCudaErrors(cudaFree(d_sums));
  return finish("streams_and_events", passed);
}
