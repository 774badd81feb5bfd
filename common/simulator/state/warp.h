// SPDX-License-Identifier: MIT
// The state of a warp: splits (lanes that run together), where they meet again, and their stack of calls.
//
// Lanes of a warp that took different ways form splits (the literature: warp splits). A divergent branch opens a
// ConvergenceBarrier at its immediate post-dominator. A split that arrives there waits for the lanes that the
// ConvergenceBarrier still expects, as with the convergence barriers of Volta and later.
//
// A ConvergenceBarrier serves speed and counting, never correctness. Lanes that wait at one may be needed elsewhere, by
// a spin lock or by a warp-wide instruction that names them. The ConvergenceBarrier then lets them go on alone.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/instruction.h"

namespace cudasim {

constexpr std::uint32_t kNone = ~0u;

/// Without a population-count instruction (plain x86-64 has none), the common case does not pay for the others.
inline std::uint32_t count_lanes(Mask mask) {
  return mask == ~0u ? kWarpSize : static_cast<std::uint32_t>(__builtin_popcount(mask));
}

struct WarpValues;  // checkers/init/initialised.h
struct WarpCopies;  // state/async_copies.h

/// A convergence barrier (Volta's term): where lanes that diverged run together again.
/// ConvergenceBarrier: where lanes meet again (the literature: convergence barrier). It lives in
/// Warp::convergence_barriers. Index `kNone` means none but the end of the kernel.
struct ConvergenceBarrier {
  std::uint32_t pc = 0;
  std::uint32_t activation = kNone;  ///< the same pc in another activation of a recursive function is another place
  Mask expected = 0;
  Mask arrived = 0;
  std::uint32_t outer = kNone;
  std::uint32_t frame = 0, local = 0;  ///< of the activation, for the lanes that go on from here
  bool in_use = false;
};

/// One activation of a called function. Fragments that were split inside it share it.
struct Activation {
  std::uint32_t return_pc = 0;
  std::uint32_t caller = kNone;    ///< the caller's own activation; none: the kernel
  std::uint32_t caller_frame = 0;  ///< byte offset of the caller's registers
  std::uint32_t caller_local = 0;
  std::uint32_t call = 0;      ///< index into Program::calls
  std::uint32_t function = 0;  ///< index into Program::functions
  std::uint32_t frame = 0;     ///< byte offset of its own registers
  Mask lanes = 0;              ///< those that have not returned; 0: free
};

/// A warp split (dynamic warp subdivision): lanes of a warp that have one pc and run together.
/// WarpSplit: lanes of a warp that run together (the literature: warp split, sub-warp).
struct WarpSplit {
  enum class State : std::uint8_t {
    runnable,
    before_barrier,  ///< at an aligned barrier, waiting for the other lanes of the warp
    in_barrier,      ///< has arrived, waits for the block
    at_warp_operation,
  };
  State state = State::runnable;
  std::uint32_t pc = 0;
  Mask mask = 0;
  std::uint32_t convergence_barrier = kNone;
  std::uint32_t activation = kNone;
  std::uint32_t frame = 0;  ///< byte offset of its registers in the warp's register stack
  std::uint32_t local = 0;  ///< byte offset of its local memory in each lane's local stack
  std::uint32_t barrier = 0;
  std::uint32_t polls = 0;  ///< Backward branches in a row, each after a read of memory that others may change.
  bool looked = false;      ///< It has read such memory since the last backward branch.
  std::uint64_t turn = 0;   ///< The worker's number of its last turn.
};

/// A divergence point: the branch at which lanes of a split took different paths.
/// DivergencePoint: where lanes that ran together took different ways (the literature: divergence point).
struct DivergencePoint {
  std::uint32_t counter = 0;  ///< MicroOp::counter of the branch
  Mask some = 0, others = 0;
};

struct Warp {
  std::byte* frames = nullptr;    ///< Register stack.
  std::byte* local = nullptr;     ///< Local memory: lane after lane, local_stride bytes each.
  WarpValues* values = nullptr;   ///< Which of them are undefined; null: not watched.
  WarpCopies* copies = nullptr;   ///< On their way; null: the kernel makes none.
  std::uint32_t index = 0;        ///< In the block.
  Mask exists = 0;                ///< Threads that the block has in this warp.
  Mask live = 0;                  ///< Those that have not exited.
  std::vector<WarpSplit> splits;  ///< The last runnable one runs next.
  std::vector<ConvergenceBarrier> convergence_barriers;
  std::vector<Activation> activations;
  bool waiting = false;            ///< No split can run until the block's barrier opens.
  std::uint64_t known_copies = 0;  ///< Block::copies_started at its last wait, or at its last check whether to wait.
  std::array<DivergencePoint, 8> divergence_points;  ///< The last ones, for messages.
  std::uint32_t parted = 0;                          ///< How many there were.
  std::uint32_t last_branch = 0;                     ///< MicroOp::counter of the last conditional one.
  void part(std::uint32_t counter, Mask some, Mask others) {
    divergence_points[parted++ % divergence_points.size()] = {counter, some, others};
  }
  /// A copy of `split` that waits at `pc`. The fields that differ are written to the copy, not before. A wide copy
  /// of bytes that were just written one by one waits until the processor has stored them.
  WarpSplit& park(const WarpSplit& split, std::uint32_t pc, WarpSplit::State state) {
    WarpSplit& parked = splits.emplace_back(split);
    parked.pc = pc;
    parked.state = state;
    return parked;
  }
  /// Some lanes come without the others to an instruction of the whole warp, at split.pc. They wait for the others;
  /// the lanes that are not in `mask` go on.
  void wait_for_lanes(WarpSplit& split, std::uint32_t counter, Mask mask);
  bool interrupted = false;  ///< by the schedule, before the memory access at its pc: do not interrupt again there
};

}  // namespace cudasim
