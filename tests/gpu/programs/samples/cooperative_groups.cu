// SPDX-License-Identifier: MIT
// Reductions and scans with cooperative groups. There are tiles of every size, cg::reduce and scans, and coalesced and
// labelled groups. A grid synchronises with itself in one cooperative launch.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <vector>

#include "helper_cuda.h"

namespace cg = cooperative_groups;

template <int size>
__device__ int sum_of_tile(const cg::thread_block_tile<size>& tile, int value) {
  for (int offset = tile.size() / 2; offset > 0; offset /= 2) value += tile.shfl_down(value, offset);
  return tile.shfl(value, 0);
}

template <int size>
__global__ void tiles(const int* in, int* by_shuffle, int* by_reduce, int* greatest, int* scanned) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<size>(block);
  const int i = blockIdx.x * blockDim.x + block.thread_rank();
  by_shuffle[i] = sum_of_tile<size>(tile, in[i]);
  by_reduce[i] = cg::reduce(tile, in[i], cg::plus<int>());
  greatest[i] = cg::reduce(tile, in[i], cg::greater<int>());
  scanned[i] = cg::inclusive_scan(tile, in[i]);
}

/// Keeps the odd values, in any order: one atomic for all the threads that are here together.
__global__ void keep_odd(const int* in, int n, int* out, int* count) {
  const int i = cg::this_grid().thread_rank();
  if (i >= n || in[i] % 2 == 0) return;
  const cg::coalesced_group active = cg::coalesced_threads();
  int base = 0;
  if (active.thread_rank() == 0) base = atomicAdd(count, active.size());
  out[active.shfl(base, 0) + active.thread_rank()] = in[i];
}

/// Threads with equal keys work together.
__global__ void sums_by_key(const int* keys, const int* values, int* sums) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int key = keys[threadIdx.x];
  const auto group = cg::labeled_partition(warp, key);
  const int sum = cg::reduce(group, values[threadIdx.x], cg::plus<int>());
  if (group.thread_rank() == 0) atomicAdd(&sums[key], sum);
}

/// Steps of a 1D heat equation: after each, the whole grid waits.
__global__ void heat(double* a, double* b, int n, int steps) {
  const cg::grid_group grid = cg::this_grid();
  for (int step = 0; step < steps; ++step) {
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
      const double left = i > 0 ? a[i - 1] : 0, right = i + 1 < n ? a[i + 1] : 0;
      b[i] = a[i] + 0.25 * (left - 2 * a[i] + right);
    }
    grid.sync();
    double* const swapped = a;
    a = b;
    b = swapped;
  }
}

template <int size>
bool tiles_test() {
  constexpr int n = 512;
  int *in = nullptr, *out = nullptr;
  checkCudaErrors(cudaMallocManaged(&in, n * sizeof(int)));
  checkCudaErrors(cudaMallocManaged(&out, 4 * n * sizeof(int)));
  for (int i = 0; i < n; ++i) in[i] = i * 37 % 101 - 50;
  tiles<size><<<4, n / 4>>>(in, out, out + n, out + 2 * n, out + 3 * n);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  bool passed = true;
  for (int start = 0; start < n; start += size) {
    int sum = 0, greatest = in[start];
    for (int i = start; i < start + size; ++i) {
      sum += in[i];
      greatest = in[i] > greatest ? in[i] : greatest;
      passed = passed && out[3 * n + i] == sum;
    }
    for (int i = start; i < start + size; ++i) {
      passed = passed && out[i] == sum && out[n + i] == sum && out[2 * n + i] == greatest;
    }
  }
  checkCudaErrors(cudaFree(in));
  checkCudaErrors(cudaFree(out));
  return passed;
}

bool groups_test() {
  constexpr int n = 1000;
  int *in = nullptr, *out = nullptr, *count = nullptr, *sums = nullptr;
  checkCudaErrors(cudaMallocManaged(&in, n * sizeof(int)));
  checkCudaErrors(cudaMallocManaged(&out, n * sizeof(int)));
  checkCudaErrors(cudaMallocManaged(&count, sizeof(int)));
  checkCudaErrors(cudaMallocManaged(&sums, 5 * sizeof(int)));
  long long expected_sum = 0, got_sum = 0;
  int expected_count = 0, expected_sums[5] = {};
  for (int i = 0; i < n; ++i) {
    in[i] = (i * 7919) % 1009;
    if (in[i] % 2 == 1) {
      expected_sum += in[i];
      ++expected_count;
    }
  }
  *count = 0;
  keep_odd<<<(n + 127) / 128, 128>>>(in, n, out, count);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  for (int i = 0; i < *count; ++i) got_sum += out[i] % 2 == 1 ? out[i] : 1000000;
  bool passed = *count == expected_count && got_sum == expected_sum;

  for (int i = 0; i < 128; ++i) {
    in[i] = i * i % 5;
    in[128 + i] = i;
    expected_sums[in[i]] += i;
  }
  for (int key = 0; key < 5; ++key) sums[key] = 0;
  sums_by_key<<<1, 128>>>(in, in + 128, sums);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  for (int key = 0; key < 5; ++key) passed = passed && sums[key] == expected_sums[key];
  for (int* p : {in, out, count, sums}) checkCudaErrors(cudaFree(p));
  return passed;
}

bool grid_test() {
  int supported = 0, per_processor = 0, processors = 0;
  checkCudaErrors(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0));
  if (supported == 0) return true;
  checkCudaErrors(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, heat, 128, 0));
  checkCudaErrors(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  int n = 3000, steps = 20;
  const int grid = per_processor * processors < 16 ? per_processor * processors : 16;
  std::vector<double> a(n, 0.0), b(n);
  for (int i = 0; i < n; i += 100) a[i] = 1 + i;
  double *d_a = nullptr, *d_b = nullptr;
  checkCudaErrors(cudaMalloc(&d_a, n * sizeof(double)));
  checkCudaErrors(cudaMalloc(&d_b, n * sizeof(double)));
  checkCudaErrors(cudaMemcpy(d_a, a.data(), n * sizeof(double), cudaMemcpyHostToDevice));
  void* arguments[] = {&d_a, &d_b, &n, &steps};
  checkCudaErrors(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(heat), grid, 128, arguments, 0, nullptr));
  std::vector<double> got(n);
  checkCudaErrors(cudaMemcpy(got.data(), d_a, n * sizeof(double), cudaMemcpyDeviceToHost));
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < n; ++i) {
      b[i] = a[i] + 0.25 * ((i > 0 ? a[i - 1] : 0) - 2 * a[i] + (i + 1 < n ? a[i + 1] : 0));
    }
    a.swap(b);
  }
  bool passed = true;
  for (int i = 0; i < n; ++i) passed = passed && got[i] <= a[i] + 1e-9 && got[i] >= a[i] - 1e-9;
  checkCudaErrors(cudaFree(d_a));
  checkCudaErrors(cudaFree(d_b));
  return passed;
}

int main() {
  const bool tile_passed = tiles_test<4>() && tiles_test<16>() && tiles_test<32>();
  const bool group_passed = groups_test(), grid_passed = grid_test();
  std::printf("tiles %d, groups %d, grid %d\n", tile_passed, group_passed, grid_passed);
  return finish("cooperative_groups", tile_passed && group_passed && grid_passed);
}
