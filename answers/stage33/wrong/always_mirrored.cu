// refused: wrong-result: all sweeps of a merge are mirrored, not the first alone; above 2^16 keys there are two
// SPDX-License-Identifier: MIT
// shown by: --size 131100 --block-size 256
// hint: sort-order
#include "answer/without_sort.cuh"

template <typename Element>
void sort(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
          cudaStream_t stream) {
  workbook::sort_tiles(type, input, output, n, stream);
  for (unsigned log_size = kLogTile + 1; std::size_t{1} << (log_size - 1) < n; ++log_size) {
    unsigned log_end = log_size;
    while (log_end > kLogTile) {
      log_end = launch_steps<Element>(type, output, n, log_end, true, stream);
    }
    workbook::finish_tiles(type, output, n, stream);
  }
}
