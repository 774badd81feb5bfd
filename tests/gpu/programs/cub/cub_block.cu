// SPDX-License-Identifier: MIT
// CUB inside a kernel of one's own: a block that loads, scans, sorts and reduces its tile, and reductions of warps.
#include <algorithm>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <numeric>

#include "cub_helper.h"

constexpr int threads = 128, items = 4, tile = threads * items;

__global__ void sort_and_scan(const int* in, int* sorted, int* scanned, int* totals) {
  using Load = cub::BlockLoad<int, threads, items, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, threads, items, cub::BLOCK_STORE_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<int, threads, items>;
  using Scan = cub::BlockScan<int, threads>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Sort::TempStorage sort;
    typename Scan::TempStorage scan;
  } storage;
  int values[items], sums[items], total = 0;
  Load(storage.load).Load(in + blockIdx.x * tile, values);
  __syncthreads();
  Sort(storage.sort).Sort(values);
  __syncthreads();
  Scan(storage.scan).ExclusiveSum(values, sums, total);
  __syncthreads();
  Store(storage.store).Store(sorted + blockIdx.x * tile, values);  // which leaves the values in another order
  __syncthreads();
  Store(storage.store).Store(scanned + blockIdx.x * tile, sums);
  if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

template <cub::BlockReduceAlgorithm algorithm>
__global__ void reduce(const int* in, int* sums, int* warp_minima) {
  using BlockReduce = cub::BlockReduce<int, threads, algorithm>;
  using WarpReduce = cub::WarpReduce<int>;
  __shared__ typename BlockReduce::TempStorage block_storage;
  __shared__ typename WarpReduce::TempStorage warp_storage[threads / 32];
  const int i = blockIdx.x * threads + threadIdx.x, warp = threadIdx.x / 32;
  const int sum = BlockReduce(block_storage).Sum(in[i]);
  const int least = WarpReduce(warp_storage[warp]).Reduce(in[i], [](int a, int b) { return a < b ? a : b; });
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  if (threadIdx.x % 32 == 0) warp_minima[i / 32] = least;
}

bool tiles() {
  constexpr int blocks = 20, n = blocks * tile;
  std::vector<int> values = random_values(n, -100000, 100000), expected(n), totals(blocks);
  DeviceVector<int> d_in(values), d_sorted(n), d_scanned(n), d_totals(blocks);
  sort_and_scan<<<blocks, threads>>>(d_in.data, d_sorted.data, d_scanned.data, d_totals.data);
  checkCudaErrors(cudaGetLastError());
  for (int block = 0; block < blocks; ++block) {
    const auto begin = values.begin() + block * tile, end = begin + tile;
    std::sort(begin, end);
    std::exclusive_scan(begin, end, expected.begin() + block * tile, 0);
    totals[block] = std::accumulate(begin, end, 0);
  }
  return d_sorted.host() == values && d_scanned.host() == expected && d_totals.host() == totals;
}

template <cub::BlockReduceAlgorithm algorithm>
bool reductions() {
  constexpr int blocks = 20, n = blocks * threads;
  const std::vector<int> values = random_values(n, -100000, 100000);
  std::vector<int> sums(blocks), minima(n / 32);
  DeviceVector<int> d_in(values), d_sums(blocks), d_minima(n / 32);
  reduce<algorithm><<<blocks, threads>>>(d_in.data, d_sums.data, d_minima.data);
  checkCudaErrors(cudaGetLastError());
  for (int block = 0; block < blocks; ++block) {
    sums[block] = std::accumulate(values.begin() + block * threads, values.begin() + (block + 1) * threads, 0);
  }
  for (int warp = 0; warp < n / 32; ++warp) {
    minima[warp] = *std::min_element(values.begin() + warp * 32, values.begin() + (warp + 1) * 32);
  }
  return d_sums.host() == sums && d_minima.host() == minima;
}

int main() {
  const bool a = tiles(), b = reductions<cub::BLOCK_REDUCE_WARP_REDUCTIONS>(),
             c = reductions<cub::BLOCK_REDUCE_RAKING>();
  std::printf("tiles %d, reductions by warps %d, raking reductions %d\n", a, b, c);
  return finish("cub_block", a && b && c);
}
