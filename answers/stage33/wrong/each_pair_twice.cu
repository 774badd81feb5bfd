// refused: race: both threads of two partners compare and store them
// SPDX-License-Identifier: MIT
// shown by: --size 10007 --block-size 256
// hint: race-between-blocks
#include "answer/without_sweep.cuh"

// A step at a time, and a thread a place: it finds the partner, and puts both in order.
template <unsigned kSteps, typename Element>
__device__ void step(workbook::KeyType type, const workbook::Records& records, std::size_t n, std::size_t place,
                     std::size_t partner) {
  const workbook::ConstRecords from{records.keys, records.values};
  const Element own = workbook::load<Element>(type, from, place, n),
                other = workbook::load<Element>(type, from, partner, n);
  workbook::store(type, records, place, n, place < partner ? min(own, other) : max(own, other));
  workbook::store(type, records, partner, n, place < partner ? max(own, other) : min(own, other));
}

template <unsigned kSteps, typename Element>
__global__ void sweep(workbook::KeyType type, workbook::Records records, std::size_t n, unsigned log_last,
                      bool is_mirrored) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t place = thread; place < n; place += std::size_t{gridDim.x} * blockDim.x) {
    const std::size_t distance = std::size_t{1} << (log_last + kSteps - 1);
    step<kSteps, Element>(type, records, n, place, place ^ (is_mirrored ? 2 * distance - 1 : distance));
  }
}
