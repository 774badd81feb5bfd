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
  bool barrier_due = false;           ///< A warp has arrived or left, so that a barrier may be complete.
  std::uint32_t threads = 0;
  std::uint32_t exited = 0;
  std::uint64_t steps = 0;          ///< warp instructions
  std::uint64_t counted_steps = 0;  ///< Those of them that are counted for the launch.
  std::uint64_t alarm = 0;          ///< After so many steps, every backward branch checks whether the loop ever ends.
  std::uint64_t next_look = 0;      ///< The step at which to check the budget and the clock.
  std::uint32_t next_warp = 0;
  bool active = false;
  bool has_begun = false;              ///< This block, or an earlier one in this storage, has begun.
  bool is_even = false;                ///< Its registers differ from another block's by the same number in all threads.
  bool knows_affine_accesses = false;  ///< AffineRegisters::AffineAccess holds for it.
  bool has_looked = false;             ///< Its last access that reaches other blocks read what they may have written.
  bool has_told = false;               ///< The same access wrote what others may read. An atomic may do both.
  std::uint32_t looks = 0;             ///< Accesses that reach others since it gave way, or began.
  bool has_waited = false;             ///< It has waited for another block, in a polling loop.
  bool gives_way = false;              ///< It yields to other blocks after each of its warps has had a turn.
  std::vector<WarpCopies> copies;      ///< by warp; empty where the kernel makes none
  std::uint64_t copies_started = 0;
  std::uint32_t copies_pending = 0;  ///< Those that some lane has still to wait for.
  bool arrivals_pending = false;
};

}  // namespace cudasim
