// SPDX-License-Identifier: MIT
// What one thread does: the state of its numbers, and the shuffle of a state. This header is a part of todo.cu: it is
// included once, and has no include guard.

#include <cstddef>
#include <cstring>

#include "choose.cuh"
#include "workbook/student/statistics.h"

/// What the lane `offset` further on has. A shuffle moves 4 bytes: a larger state goes word by word (CUB: ShuffleDown).
/// All lanes of the warp come here.
template <class State>
__device__ State from_lane_above(State state, unsigned offset) {
  static_assert(sizeof(State) % sizeof(unsigned) == 0 && sizeof(State) <= workbook::kLargestState);
  unsigned words[sizeof(State) / sizeof(unsigned)];
  memcpy(words, &state, sizeof state);
#pragma unroll
  for (unsigned& word : words) {
    word = __shfl_down_sync(0xffffffffu, word, offset);
  }
  memcpy(&state, words, sizeof state);
  return state;
}

/// todo.cu defines it.
template <class Operator, unsigned kCount, typename T>
__device__ typename Operator::State combine_values(const T* values);

/// The state of a thread's numbers, of n that begin at a multiple of 16 bytes. First come tiles of kLoads * blockDim.x
/// vectors, then a rest that is no whole tile. Block b owns tiles b, b + gridDim.x, ... The threads of all blocks take
/// the numbers of the rest in turn.
template <class Operator, typename T>
__device__ typename Operator::State combine_numbers(const T* numbers, std::size_t n) {
  const unsigned tid = threadIdx.x;
  const std::size_t tile_vectors = std::size_t{kLoads} * blockDim.x;
  const std::size_t tiles = n / (tile_vectors * kVectorSize<T>);
  const uint4* const vectors = reinterpret_cast<const uint4*>(numbers);

  typename Operator::State state = Operator::identity();
  for (std::size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    uint4 loaded[kLoads];
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) {
      loaded[k] = __ldg(vectors + tile * tile_vectors + k * blockDim.x + tid);
    }
    T values[kLoads * kVectorSize<T>];
    memcpy(values, loaded, sizeof values);
    state = Operator::combine(state, combine_values<Operator, kLoads * kVectorSize<T>>(values));
  }
  const std::size_t rest = tiles * tile_vectors * kVectorSize<T>;
  for (std::size_t i = rest + blockIdx.x * blockDim.x + tid; i < n; i += std::size_t{gridDim.x} * blockDim.x) {
    state = Operator::combine(state, Operator::of(numbers[i]));
  }
  return state;
}
