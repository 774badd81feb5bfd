// refused: stream-order: the sums are made in the default stream, which does not wait for the caller's
// SPDX-License-Identifier: MIT
// shown by: --cases quick
// hint: other-stream
#include "answer/right.cuh"

using namespace right;

template <typename T>
void scan_on_device(Scan scan, const T* input, T* output, std::size_t n, unsigned block_size,
                    const workbook::ScanWorkspace& workspace) {
  if (n == 0) {
    return;
  }
  const Cut cut = cut_elements(n, block_size);
  T* const sums = reinterpret_cast<T*>(workspace.words);
  const T* const nothing = nullptr;
  if (cut.blocks > 1) {
    sum_shares<<<cut.blocks, block_size>>>(input, n, cut.size, sums);
    CUDA_CHECK(cudaGetLastError());
    scan_shares<<<1, block_size>>>(Scan::exclusive, sums, sums, cut.blocks, cut.blocks, nothing);
    CUDA_CHECK(cudaGetLastError());
  }
  const T* const before = cut.blocks > 1 ? sums : nothing;
  scan_shares<<<cut.blocks, block_size, 0, workspace.stream>>>(scan, input, output, n, cut.size, before);
  CUDA_CHECK(cudaGetLastError());
}
