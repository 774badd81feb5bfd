// refused: out-of-bounds: the last run is taken to be as long as the others
// SPDX-License-Identifier: MIT
// shown by: --size 10007 --block-size 256
// hint: outside-global
#include "answer/linked_answer.cuh"

using namespace right;

__global__ void merge_runs(workbook::KeyType type, workbook::ConstRecords from, workbook::Records to, std::size_t n,
                           std::size_t run) {
  __shared__ Shared shared;
  Runs runs = runs_of(blockIdx.x, run, n);
  if (runs.count == 0) {
    return;
  }
  runs.size = run;
  if (runs.is_right) {
    merge_piece<true>(shared, type, from, to, runs);
  } else {
    merge_piece<false>(shared, type, from, to, runs);
  }
}

void sort_on_device(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
                    const workbook::SortWorkspace& workspace, unsigned block_size, cudaStream_t stream) {
  right::merge_runs = merge_runs;
  right::sort_on_device(type, input, output, n, workspace, block_size, stream);
}
