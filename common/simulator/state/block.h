// SPDX-License-Identifier: MIT
// The state of a block: its warps, its shared memory and its barriers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "state/async_copies.h"
#include "state/storage.h"
#include "state/warp.h"

namespace cudasim {

struct BlockBarrier {
  std::uint64_t expected = 0;  ///< threads, when a count was given; 0: all threads of the block
  std::uint64_t arrived = 0;
  bool reduces = false;
  bool any = false, all = true;
  std::uint32_t population = 0;
  std::uint32_t counter = 0;  ///< of the instruction, to name its line
};

/// A block under way: its warps and shared memory. Reused for one block after another.
struct Block {
  std::uint64_t linear = 0;
  std::uint32_t slot = 0;  ///< its place among the worker's blocks
  std::array<std::uint32_t, 3> index{};
  std::vector<Warp> warps;
  Storage storage;  // register stacks, local and shared memory
  std::size_t storage_bytes = 0;
  std::byte* shared = nullptr;
  std::array<BlockBarrier, 16> barriers;
  std::uint32_t barriers_in_use = 0;  // a bit each; the others hold nothing
  bool barrier_due = false;           ///< somebody has come to one, or left, so that one may be complete
  std::uint32_t threads = 0;
  std::uint32_t exited = 0;
  std::uint64_t steps = 0;      ///< warp instructions
  std::uint64_t alarm = 0;      ///< after so many, every backward branch looks whether the loop ever ends
  std::uint64_t next_look = 0;  ///< when to look at the budget and at the clock
  std::uint32_t next_warp = 0;
  bool active = false;
  bool has_begun = false;          ///< it, or another one before it in this storage
  bool is_even = false;            ///< its registers differ from another's by the same number in all threads
  bool knows_places = false;       ///< Interpreter::Known holds of it
  bool has_looked = false;         ///< its last access that reaches other blocks was the first, third, ... one
  bool has_waited = false;         ///< for another one, in a loop that looks
  bool gives_way = false;          ///< to other blocks, once each of its warps had its turn
  std::vector<WarpCopies> copies;  ///< by warp; empty where the kernel makes none
  std::uint64_t copies_started = 0;
  std::uint32_t copies_pending = 0;  ///< those that somebody has still to wait for
  bool arrivals_pending = false;
};

}  // namespace cudasim
