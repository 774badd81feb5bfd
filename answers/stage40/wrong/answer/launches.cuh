// SPDX-License-Identifier: MIT
// The launches of stage 40, for wrong kernels that change one part. The including file may define SCAN_SHARES,
// SUM_SHARES or CUT as the name of its own kernel or function, and SCAN_OF_SUMS as another kind of scan.
#ifndef SCAN_SHARES
#define SCAN_SHARES scan_shares
#endif
#ifndef SUM_SHARES
#define SUM_SHARES sum_shares
#endif
#ifndef CUT
#define CUT cut_elements
#endif
#ifndef SCAN_OF_SUMS
#define SCAN_OF_SUMS Scan::exclusive
#endif

template <typename T>
void scan_on_device(Scan scan, const T* input, T* output, std::size_t n, unsigned block_size,
                    const workbook::ScanWorkspace& workspace) {
  if (n == 0) {
    return;
  }
  const Cut cut = CUT(n, block_size);
  T* const sums = reinterpret_cast<T*>(workspace.words);
  const T* const nothing = nullptr;
  if (cut.blocks > 1) {
    SUM_SHARES<<<cut.blocks, block_size, 0, workspace.stream>>>(input, n, cut.size, sums);
    CUDA_CHECK(cudaGetLastError());
    SCAN_SHARES<<<1, block_size, 0, workspace.stream>>>(SCAN_OF_SUMS, sums, sums, cut.blocks, cut.blocks, nothing);
    CUDA_CHECK(cudaGetLastError());
  }
  const T* const before = cut.blocks > 1 ? sums : nothing;
  SCAN_SHARES<<<cut.blocks, block_size, 0, workspace.stream>>>(scan, input, output, n, cut.size, before);
  CUDA_CHECK(cudaGetLastError());
}

#undef SCAN_SHARES
#undef SUM_SHARES
#undef CUT
#undef SCAN_OF_SUMS
