// SPDX-License-Identifier: MIT
// An Observer is an instrumentation callback at the level of lanes. It gets the address and the memory of each lane of
// an access. A Watcher (state/watcher.h) is a callback at the level of warps, which costs less. Both may report
// findings, and neither changes the run. Checks::observers holds those of a run.
//
// Calls come in one order, which a seed repeats: one worker runs the blocks, or the observer sees a single block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "isa/instruction.h"
#include "ptx/module.h"

namespace cudasim {

struct Allocation;
struct Grid;

/// What one instruction of one warp does to one space, shared or global memory.
struct AccessSeen {
  std::uint64_t block = 0;        ///< linear index
  std::uint32_t warp = 0;         ///< in the block
  std::uint32_t instruction = 0;  ///< MicroOp::counter: Program::source_line() knows its line
  ptx::Space space = ptx::Space::global;
  Mask lanes = 0;
  std::uint32_t bytes = 0;                   ///< A lane's.
  bool is_store = false, is_atomic = false;  ///< An atomic is a store too.
  std::uint64_t address[kWarpSize];          ///< By lane; of shared memory: offsets in that of the block.
  const std::byte* memory[kWarpSize];        ///< By lane: the host's bytes behind it; null where there is no memory.
  const Allocation* allocation = nullptr;    ///< The first lane's; null where there is none, and in shared memory.
  std::uint32_t sectors = 0, wavefronts = 0, least_wavefronts = 0;  ///< The counts for it.
  /// The access that Nsight Compute counts: bytes of a lane, and its begin as a distance from `address`.
  /// ptxas may make one access of several. 0: it is counted with another one.
  std::uint32_t counted_bytes = 0;
  std::int32_t counted_from = 0;
  bool in_rows = false;  ///< by an ldmatrix or stmatrix: Observer::rows() reports what is counted
};

/// A shuffle of the lanes of a warp that take part.
struct ShuffleSeen {
  std::uint64_t block = 0;
  std::uint32_t warp = 0, instruction = 0;
  Mask lanes = 0;
  std::uint32_t source[kWarpSize];  ///< by lane: the lane that it reads, itself where that is out of range
};

class Observer {
 public:
  /// `only_block`: the linear index of the one block that it observes.
  explicit Observer(std::optional<std::uint64_t> only_block = {}) : only_block_(only_block) {}
  virtual ~Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  bool hears(std::uint64_t block) const { return !only_block_ || *only_block_ == block; }
  bool hears_all() const { return !only_block_; }
  /// `grid` lives until the launch ends. finding_of() and add_defect(grid, ...) report what is wrong.
  virtual void begin_launch([[maybe_unused]] Grid& grid) {}
  /// Nothing has been moved yet.
  virtual void before(const AccessSeen&) {}
  /// What a store leaves is in memory. Not called for an access that stops the kernel.
  virtual void after(const AccessSeen&) {}
  /// A whole ldmatrix or stmatrix: rows of 16 bytes, each at the address that one lane gave. It counts as no request.
  virtual void rows(const AccessSeen&) {}
  /// A load or store of shared memory that is issued and counted though no lane of the warp takes part.
  virtual void idle([[maybe_unused]] std::uint64_t block, [[maybe_unused]] bool is_store) {}
  virtual void shuffle(const ShuffleSeen&) {}
  /// `warps` of a block, a bit each, go on from a barrier.
  virtual void open_barrier([[maybe_unused]] std::uint64_t block, [[maybe_unused]] std::uint32_t warps) {}

 private:
  std::optional<std::uint64_t> only_block_;
};

}  // namespace cudasim
