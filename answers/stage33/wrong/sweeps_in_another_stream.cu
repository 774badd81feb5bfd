// refused: stream-order: the sweeps are in the default stream, and nothing makes them wait for the tiles
// SPDX-License-Identifier: MIT
// hint: other-stream
#include "answer/without_sort.cuh"

template <typename Element>
void sort(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
          cudaStream_t stream) {
  workbook::sort_tiles(type, input, output, n, stream);
  for (unsigned log_size = kLogTile + 1; std::size_t{1} << (log_size - 1) < n; ++log_size) {
    unsigned log_end = log_size;
    while (log_end > kLogTile) {
      log_end = launch_steps<Element>(type, output, n, log_end, log_end == log_size, nullptr);
    }
    workbook::finish_tiles(type, output, n, stream);
  }
}
