// SPDX-License-Identifier: MIT
// What watches a run and changes nothing. Whoever wants to hear of accesses is an Observer among Checks::observers; the
// machine knows no more of it. One worker runs the blocks then, so that calls come in one order, which a seed repeats.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/instruction.h"
#include "ptx/module.h"

namespace cudasim {

struct Program;
struct Launch;

/// What one instruction of one warp does to one space, shared or global memory.
struct AccessSeen {
  std::uint64_t block = 0;        ///< linear index
  std::uint32_t warp = 0;         ///< in the block
  std::uint32_t instruction = 0;  ///< MicroOp::counter: Program::source_line() knows its line
  ptx::Space space = ptx::Space::global;
  Mask lanes = 0;
  std::uint32_t bytes = 0;                   ///< of a lane
  bool is_store = false, is_atomic = false;  ///< an atomic is a store too
  std::uint64_t address[warp_size];          ///< by lane; of shared memory: offsets in that of the block
  const std::byte* memory[warp_size];        ///< by lane: the host's bytes behind it; null where there is no memory
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void begin_launch(const Program&, const Launch&) {}
  /// Nothing has been moved yet.
  virtual void before(const AccessSeen&) {}
  /// What a store leaves is in memory. Not called for an access that stops the kernel.
  virtual void after(const AccessSeen&) {}
};

}  // namespace cudasim
