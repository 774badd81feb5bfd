// refused: wrong-result: after an odd number of passes the result is in the workspace
// SPDX-License-Identifier: MIT
// shown by: --size 8192 --block-size 256
// hint: sort-elsewhere
// diagnosis: The sorted keys are in workspace.records.keys
#include "answer/linked_answer.cuh"

using namespace right;

void sort_on_device(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
                    const workbook::SortWorkspace& workspace, unsigned /*block_size*/, cudaStream_t stream) {
  if (n == 0) {
    return;
  }
  workbook::Records from = workspace.records, to = output;
  (input.values == nullptr ? launch_tiles<Key> : launch_tiles<Pair>)(type, input, to, n, stream);
  for (std::size_t run = kTile; run < n; run *= 2) {
    std::swap(from, to);
    launch_merges(type, from, to, n, run, stream);
  }
}
