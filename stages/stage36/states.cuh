// SPDX-License-Identifier: MIT
// What tiles publish for the tiles behind them, and the workspace that holds it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda/atomic>

#include "tile.cuh"

/// What a tile publishes about one digit: a number of keys, and in the highest byte its kind, which says what it
/// counts. A state is kind << kKindShift | number. Both stand in one word, which is written and read as a whole. Kinds
/// rise from pass to pass. So a kind of an earlier pass, or 0, is smaller, and means that this pass has published
/// nothing yet.
using State = std::uint64_t;
constexpr int kKindShift = 56;
__device__ inline State of_tile(const Pass& pass) { return State{2} * pass.number + 1; }  ///< The keys of this tile.
__device__ inline State of_all(const Pass& pass) { return State{2} * pass.number + 2; }   ///< And of all before it.

/// Publishes a number.
__device__ inline void say(State& state, State kind, State number) {
  cuda::atomic_ref<State, cuda::thread_scope_device>(state).store(kind << kKindShift | number,
                                                                  cuda::memory_order_relaxed);
}

/// The arrays of the workspace. All of it is 0 before the first pass.
struct Storage {
  unsigned* counts;   ///< Of kPasses * kDigits: how often each digit occurs.
  unsigned* tickets;  ///< Of kPasses: how many tiles have begun.
  State* states;      ///< Of kDigits for each tile.

  static constexpr std::size_t kStatesBegin = (kPasses * kDigits + 64) * sizeof(unsigned);
  explicit Storage(void* storage)
      : counts(static_cast<unsigned*>(storage)),
        tickets(counts + kPasses * kDigits),
        states(reinterpret_cast<State*>(static_cast<unsigned char*>(storage) + kStatesBegin)) {}
  static std::size_t bytes(std::size_t tiles) { return kStatesBegin + tiles * kDigits * sizeof(State); }
};

/// Gives the block the next tile, in the order in which blocks begin. So each waits only for blocks that are at work
/// already. All threads of the block come here.
__device__ inline std::size_t draw_tile(unsigned* ticket) {
  __shared__ unsigned drawn;
  if (threadIdx.x == 0) {
    drawn = atomicAdd(ticket, 1u);
  }
  __syncthreads();
  return drawn;
}
