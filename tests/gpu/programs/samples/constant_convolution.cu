// SPDX-License-Identifier: MIT
// A separable convolution whose weights and settings lie in constant memory, with tiles in shared memory. Also a table
// that is found by the address of its symbol, and a variable that kernels write and the host reads.
#include <cmath>
#include <vector>

#include "helper_cuda.h"

constexpr int radius = 4;
constexpr int block_size = 128;

struct Settings {
  int width, height;
  float gain;
  struct {
    char mode;
    double offset;
  } output;
};

__constant__ float weights[2 * radius + 1];
__constant__ Settings settings;
__constant__ int squares[10] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81};
__device__ int clamped = 0;
__device__ float last_row[256];

__global__ void convolve_rows(const float* in, float* out) {
  __shared__ float line[block_size + 2 * radius];
  const int y = blockIdx.y;
  const int start = blockIdx.x * block_size - radius;
  for (int i = threadIdx.x; i < block_size + 2 * radius; i += block_size) {
    const int x = start + i;
    line[i] = x >= 0 && x < settings.width ? in[y * settings.width + x] : 0;
  }
  __syncthreads();
  const int x = blockIdx.x * block_size + threadIdx.x;
  if (x >= settings.width) return;
  float sum = 0;
#pragma unroll
  for (int k = -radius; k <= radius; ++k) sum += weights[k + radius] * line[threadIdx.x + radius + k];
  sum = settings.gain * sum + static_cast<float>(settings.output.offset);
  if (settings.output.mode == 'c' && sum > 2.0f) {
    sum = 2.0f;
    atomicAdd(&clamped, 1);
  }
  out[y * settings.width + x] = sum;
  if (y == settings.height - 1) last_row[x] = sum;
}

__global__ void look_up(const int* index, int* out) { out[threadIdx.x] = squares[index[threadIdx.x]]; }

bool look_up_squares() {
  int index[32], result[32], *d_index = nullptr, *d_result = nullptr;
  for (int i = 0; i < 32; ++i) index[i] = (i * 7) % 10;
  checkCudaErrors(cudaMalloc(&d_index, sizeof index));
  checkCudaErrors(cudaMalloc(&d_result, sizeof result));
  checkCudaErrors(cudaMemcpy(d_index, index, sizeof index, cudaMemcpyHostToDevice));
  // One entry is changed through the table's address.
  void* address = nullptr;
  std::size_t bytes = 0;
  checkCudaErrors(cudaGetSymbolAddress(&address, squares));
  checkCudaErrors(cudaGetSymbolSize(&bytes, squares));
  const int changed = -7;
  checkCudaErrors(cudaMemcpy(static_cast<int*>(address) + 7, &changed, sizeof changed, cudaMemcpyHostToDevice));
  look_up<<<1, 32>>>(d_index, d_result);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaMemcpy(result, d_result, sizeof result, cudaMemcpyDeviceToHost));
  bool passed = bytes == sizeof squares;
  for (int i = 0; i < 32; ++i) passed = passed && result[i] == (index[i] == 7 ? -7 : index[i] * index[i]);
  checkCudaErrors(cudaFree(d_index));
  checkCudaErrors(cudaFree(d_result));
  return passed;
}

bool convolve() {
  const Settings h_settings{200, 33, 1.5f, {'c', 0.25}};
  float h_weights[2 * radius + 1];
  for (int k = -radius; k <= radius; ++k) h_weights[k + radius] = std::exp(-0.5f * k * k) / 2.5f;
  std::vector<float> in(h_settings.width * h_settings.height), out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i * 7919 % 1000) / 500.0f;

  float *d_in = nullptr, *d_out = nullptr;
  const std::size_t bytes = in.size() * sizeof(float);
  checkCudaErrors(cudaMalloc(&d_in, bytes));
  checkCudaErrors(cudaMalloc(&d_out, bytes));
  checkCudaErrors(cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice));
  checkCudaErrors(cudaMemcpyToSymbol(settings, &h_settings, sizeof h_settings));
  // The weights in two steps, the second at an offset.
  checkCudaErrors(cudaMemcpyToSymbol(weights, h_weights, 3 * sizeof(float)));
  checkCudaErrors(cudaMemcpyToSymbolAsync(weights, h_weights + 3, sizeof h_weights - 3 * sizeof(float),
                                          3 * sizeof(float), cudaMemcpyHostToDevice, nullptr));
  convolve_rows<<<dim3((h_settings.width + block_size - 1) / block_size, h_settings.height), block_size>>>(d_in, d_out);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost));
  int h_clamped = -1;
  float h_last_row[256];
  checkCudaErrors(cudaMemcpyFromSymbol(&h_clamped, clamped, sizeof h_clamped));
  checkCudaErrors(cudaMemcpyFromSymbol(h_last_row, last_row, h_settings.width * sizeof(float)));

  bool passed = true;
  int at_limit = 0;
  for (int y = 0; y < h_settings.height; ++y) {
    for (int x = 0; x < h_settings.width; ++x) {
      double sum = 0;
      for (int k = -radius; k <= radius; ++k) {
        if (x + k >= 0 && x + k < h_settings.width) sum += h_weights[k + radius] * in[y * h_settings.width + x + k];
      }
      const double expected = std::fmin(h_settings.gain * sum + h_settings.output.offset, 2.0);
      const float got = out[y * h_settings.width + x];
      at_limit += got == 2.0f;
      passed = passed && std::fabs(got - expected) < 1e-5;
      if (y == h_settings.height - 1) passed = passed && h_last_row[x] == got;
    }
  }
  passed = passed && h_clamped == at_limit && h_clamped > 0;
  checkCudaErrors(cudaFree(d_in));
  checkCudaErrors(cudaFree(d_out));
  return passed;
}

int main() {
  const bool table = look_up_squares();
  const bool image = convolve();
  return finish("constant_convolution", table && image);
}
