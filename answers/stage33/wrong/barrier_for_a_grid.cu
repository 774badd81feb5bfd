// refused: race: one launch takes all steps: a barrier waits for the threads of its block, and not for other blocks
// SPDX-License-Identifier: MIT
// shown by: --size 8192 --block-size 256
// hint: race-between-blocks
#include "answer/without_sort.cuh"

// All steps of a merge whose partners lie in two tiles.
template <typename Element>
__global__ void all_sweeps(workbook::KeyType type, workbook::Records records, std::size_t n, unsigned log_size) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (unsigned log_distance = log_size; log_distance-- > 0;) {
    const std::size_t distance = std::size_t{1} << log_distance, beside = thread % distance;
    const std::size_t place = (thread - beside) * 2 + beside;
    const std::size_t partner = place ^ (log_distance + 1 == log_size ? 2 * distance - 1 : distance);
    const workbook::ConstRecords from{records.keys, records.values};
    const Element own = workbook::load<Element>(type, from, place, n);
    const Element other = workbook::load<Element>(type, from, partner, n);
    workbook::store(type, records, place, n, min(own, other));
    workbook::store(type, records, partner, n, max(own, other));
    __syncthreads();
  }
}

template <typename Element>
void sort(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
          cudaStream_t stream) {
  workbook::sort_tiles(type, input, output, n, stream);
  for (unsigned log_size = kLogTile + 1; std::size_t{1} << (log_size - 1) < n; ++log_size) {
    const std::size_t threads = ((n + (std::size_t{1} << log_size) - 1) >> log_size) << (log_size - 1);
    all_sweeps<Element><<<static_cast<unsigned>(threads / kThreads), kThreads, 0, stream>>>(type, output, n, log_size);
    CUDA_CHECK(cudaGetLastError());
  }
}
