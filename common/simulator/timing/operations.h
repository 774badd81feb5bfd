// SPDX-License-Identifier: MIT
// What the scoreboard must know of each micro-operation: which registers it reads and writes, and how long an operation
// that needs its result waits.
#pragma once

#include <cstdint>
#include <vector>

#include "base/gpu.h"
#include "program/program.h"
#include "timing/latencies.h"

namespace cudasim {

/// Registers are numbered by the place of their slot in a frame.
constexpr std::uint32_t kSlotBytes = 64;

struct TimedOperation {
  enum class Kind : std::uint8_t {
    plain,         ///< its result is there after `latency`
    load,          ///< after the latency of the place where its data are
    update,        ///< an atomic whose result is used
    async_copy,    ///< it writes no register
    async_commit,  ///< ends a group of asynchronous copies
    async_wait,    ///< for all groups but the last `groups`
    store,         ///< nothing waits for it
    branch,        ///< that ptxas makes a predicate: what follows needs it
  };
  /// Which stores it may not pass: those of this space.
  enum class Order : std::uint8_t { global, shared, free };
  Kind kind = Kind::plain;
  Order order = Order::free;
  bool ends_stretch = false;           ///< ptxas moves nothing over it
  bool ends_unrolled = false;          ///< the branch of a loop that ptxas unrolls (timing/unrolled_loops.h)
  std::uint8_t reads = 0, writes = 0;  ///< how many registers
  std::uint8_t issue = 1;              ///< turns of a scheduler; 0: ptxas makes no instruction of it
  std::uint32_t first = 0;             ///< of its registers in Operations::registers: those that it reads come first
  std::uint32_t groups = 0;
  std::uint32_t end = 0;  ///< branch: where what it guards ends
  float latency = 0;
};

struct Operations {
  Operations(const Program& program, const Latencies& latencies, const Gpu& gpu);

  std::vector<TimedOperation> by_pc;
  std::vector<std::uint32_t> registers;
};

}  // namespace cudasim
