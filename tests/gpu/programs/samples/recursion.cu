// SPDX-License-Identifier: MIT
// Functions that call themselves, with more stack than a thread has unasked: quicksort, Ackermann's function, n queens,
// and two functions that call each other.
#include <algorithm>
#include <vector>

#include "helper_cuda.h"

__device__ void quicksort(int* data, int low, int high) {
  if (low >= high) return;
  const int pivot = data[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (data[i] < pivot) ++i;
    while (data[j] > pivot) --j;
    if (i <= j) {
      const int swapped = data[i];
      data[i++] = data[j];
      data[j--] = swapped;
    }
  }
  quicksort(data, low, j);
  quicksort(data, i, high);
}

__global__ void sort_rows(int* rows, int length) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  quicksort(rows + row * length, 0, length - 1);
}

__host__ __device__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

/// Ways to place the rest of the queens; each call keeps a board of its own.
__host__ __device__ int queens(const char* columns, int row, int size) {
  if (row == size) return 1;
  char mine[10];
  for (int i = 0; i < row; ++i) mine[i] = columns[i];
  int ways = 0;
  for (int column = 0; column < size; ++column) {
    bool safe = true;
    for (int i = 0; i < row; ++i) {
      const int distance = mine[i] > column ? mine[i] - column : column - mine[i];
      safe = safe && distance != 0 && distance != row - i;
    }
    if (!safe) continue;
    mine[row] = static_cast<char>(column);
    ways += queens(mine, row + 1, size);
  }
  return ways;
}

__device__ bool is_odd(unsigned n);
__device__ __noinline__ bool is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
__device__ __noinline__ bool is_odd(unsigned n) { return n != 0 && is_even(n - 1); }

__global__ void play(int* acks, int* ways, bool* even) {
  const int i = threadIdx.x;
  acks[i] = ackermann(i % 3, i / 3);
  const char first = static_cast<char>(i % 7);
  ways[i] = queens(&first, 1, 7);
  even[i] = is_even(i);
}

int main() {
  checkCudaErrors(cudaDeviceSetLimit(cudaLimitStackSize, 16 * 1024));
  std::size_t stack = 0;
  checkCudaErrors(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
  bool passed = stack >= 16 * 1024;

  constexpr int rows = 64, length = 60;
  std::vector<int> data(rows * length), expected;
  unsigned state = 1;
  for (int& value : data) value = static_cast<int>((state = state * 1664525u + 1013904223u) >> 20);
  expected = data;
  int* d_data = nullptr;
  checkCudaErrors(cudaMalloc(&d_data, data.size() * sizeof(int)));
  checkCudaErrors(cudaMemcpy(d_data, data.data(), data.size() * sizeof(int), cudaMemcpyHostToDevice));
  sort_rows<<<2, rows / 2>>>(d_data, length);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaMemcpy(data.data(), d_data, data.size() * sizeof(int), cudaMemcpyDeviceToHost));
  for (int row = 0; row < rows; ++row) std::sort(&expected[row * length], &expected[row * length] + length);
  passed = passed && data == expected;

  constexpr int threads = 24;
  int *acks = nullptr, *ways = nullptr;
  bool* even = nullptr;
  checkCudaErrors(cudaMallocManaged(&acks, threads * sizeof(int)));
  checkCudaErrors(cudaMallocManaged(&ways, threads * sizeof(int)));
  checkCudaErrors(cudaMallocManaged(&even, threads));
  play<<<1, threads>>>(acks, ways, even);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  for (int i = 0; i < threads; ++i) {
    const char first = static_cast<char>(i % 7);
    passed = passed && acks[i] == ackermann(i % 3, i / 3) && ways[i] == queens(&first, 1, 7) && even[i] == (i % 2 == 0);
  }
  checkCudaErrors(cudaFree(d_data));
  checkCudaErrors(cudaFree(acks));
  checkCudaErrors(cudaFree(ways));
  checkCudaErrors(cudaFree(even));
  return finish("recursion", passed);
}
