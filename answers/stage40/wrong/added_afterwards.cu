// refused: not-the-step: shares are scanned first, and what lies before is added to the output: stored twice
// SPDX-License-Identifier: MIT
// hint: step-sectors
#include "answer/right.cuh"

using namespace right;

// Combines what lies before each share with each of its elements.
template <typename T>
__global__ void __launch_bounds__(kMostThreads)
    add_before(T* output, std::size_t n, std::size_t size, const T* before) {
  const Share share(n, size);
  for (std::size_t at = share.begin + 4 * threadIdx.x; at < share.end; at += 4 * blockDim.x) {
    workbook::Four<T> four = workbook::load_four<T>(output, at, share.end);
    for (T& element : four.of) {
      element = combine(before[blockIdx.x], element);
    }
    workbook::store_four(output, at, share.end, four);
  }
}

// sums[b]: what the share of block b has together, from the scan of its last element. Then their scan.
template <typename T>
__global__ void take_sums(Scan scan, const T* input, const T* output, std::size_t n, std::size_t size, unsigned shares,
                          T* sums) {
  for (unsigned b = threadIdx.x; b < shares; b += blockDim.x) {
    const std::size_t last = min(n, (b + 1) * size) - 1;
    sums[b] = scan == Scan::inclusive ? output[last] : combine(output[last], input[last]);
  }
  __syncthreads();
  scan_share(Scan::exclusive, identity<T>(), const_cast<const T*>(sums), sums, Share(shares, shares));
}

template <typename T>
void scan_on_device(Scan scan, const T* input, T* output, std::size_t n, unsigned block_size,
                    const workbook::ScanWorkspace& workspace) {
  if (n == 0) {
    return;
  }
  const Cut cut = cut_elements(n, block_size);
  T* const sums = reinterpret_cast<T*>(workspace.words);
  const T* const nothing = nullptr;
  scan_shares<<<cut.blocks, block_size, 0, workspace.stream>>>(scan, input, output, n, cut.size, nothing);
  CUDA_CHECK(cudaGetLastError());
  if (cut.blocks == 1) {
    return;
  }
  const T* const scanned = output;
  take_sums<<<1, block_size, 0, workspace.stream>>>(scan, input, scanned, n, cut.size, cut.blocks, sums);
  CUDA_CHECK(cudaGetLastError());
  const T* const before = sums;
  add_before<<<cut.blocks, block_size, 0, workspace.stream>>>(output, n, cut.size, before);
  CUDA_CHECK(cudaGetLastError());
}
