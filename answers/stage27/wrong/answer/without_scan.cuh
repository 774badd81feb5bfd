// SPDX-License-Identifier: MIT
// The answer of stage 27 without its second kernel: it takes the scan_counts of the including file.
#include "linked_answer.cuh"

using namespace right;

__global__ void scan_counts(unsigned* counts, unsigned size, unsigned* total);

template <typename T>
void find_all_on_device(const T* keys, std::size_t n, T x, const workbook::Hits& hits, unsigned block_size,
                        const workbook::FindAllWorkspace& workspace) {
  right::scan_counts = scan_counts;
  right::find_all_on_device(keys, n, x, hits, block_size, workspace);
  right::scan_counts = right_scan_counts;
}
