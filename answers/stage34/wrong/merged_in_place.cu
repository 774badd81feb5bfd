// refused: race: runs are merged in place: keys are stored over others that are still to be read
// SPDX-License-Identifier: MIT
// shown by: --size 4097 --block-size 256
// hint: race-between-blocks
#include "answer/linked_answer.cuh"

using namespace right;

void sort_on_device(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
                    const workbook::SortWorkspace& /*workspace*/, unsigned /*block_size*/, cudaStream_t stream) {
  if (n == 0) {
    return;
  }
  (input.values == nullptr ? launch_tiles<Key> : launch_tiles<Pair>)(type, input, output, n, stream);
  for (std::size_t run = kTile; run < n; run *= 2) {
    launch_merges(type, output, output, n, run, stream);
  }
}
