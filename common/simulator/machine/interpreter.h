// SPDX-License-Identifier: MIT
// The dispatch loop, and the units that carry out instructions. Each worker has one.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/control/activation_stack.h"
#include "machine/control/divergence.h"
#include "machine/control/execution_counts.h"
#include "machine/control/host_calls.h"
#include "machine/control/loop_detector.h"
#include "machine/control/preemption.h"
#include "machine/registers/affine_registers.h"
#include "machine/registers/frame_constants.h"
#include "machine/units/atomic_unit.h"
#include "machine/units/barrier_unit.h"
#include "machine/units/copy_unit.h"
#include "machine/units/load_store_unit.h"
#include "machine/units/tensor_unit.h"
#include "machine/units/texture_unit.h"
#include "machine/units/warp_unit.h"
#include "machine/units/worker.h"
#include "timing/recorder.h"

namespace cudasim {

class Interpreter : Unit {
 public:
  enum class Stop : std::uint8_t { done, waiting, yielded, fault };

  explicit Interpreter(Worker& worker);

  /// Runs the warp until it must wait. Another warp may follow one that leaves the kernel: `at_work` is then that one.
  Stop run_warp(Block& block, Warp*& at_work);
  void add_counters(std::vector<Counters>& by_instruction) const { counts_.add_to(by_instruction, counters_); }

  // The parts that are used when a block begins, ends, or waits.
  const FrameConstants& constants() const { return constants_; }
  AffineRegisters& registers() { return registers_; }
  LoopDetector& loops() { return loops_; }
  Progress& progress() { return progress_; }
  Preemption& preemption() { return preemption_; }
  BarrierUnit& barriers() { return barriers_; }
  CopyUnit& copies() { return copies_; }

 private:
  /// What else is done for each instruction. Without it, the code for it is absent.
  enum class Follows : std::uint8_t {
    nothing,
    values,  ///< undefined values, by the checker
    runs,    ///< which instructions are carried out, for an estimate of the time
  };
  template <Follows follows>
  Stop run_split(Block& block, Warp*& at_work, WarpSplit* place);
  bool follows_runs(const Block& block) const { return recorder_ != nullptr && recorder_->follows(block); }
  Warp* warp_after(Block& block, const Warp& warp) const;
  void notify_skipped(const Block& block, const std::vector<Branch::Skipped>& accesses) const;
  void fence(const Block& block, Warp& warp, const MicroOp& op);
  // resolve_warp.cpp
  bool resolve_warp(Block& block, Warp& warp, Stop& stop);
  bool join_before_barrier(Block& block, Warp& warp, Mask before, bool operation_waits);

  Recorder* const recorder_;
  const bool is_watched_, preempts_, skips_launch_invariant_;
  const std::uint64_t step_budget_;
  std::uint64_t turns_ = 0;  // of splits, so far
  ExecutionCounts counts_;
  LoadStoreUnit memory_;
  AtomicUnit atomics_;
  CopyUnit copies_;
  BarrierUnit barriers_;
  WarpUnit warps_;
  TensorUnit tensors_;
  TextureUnit textures_;
  FrameConstants constants_;
  AffineRegisters registers_;
  Divergence divergence_;
  ActivationStack calls_;
  HostCalls host_;
  Progress progress_;
  LoopDetector loops_;
  Preemption preemption_;
};

[[gnu::always_inline]] inline Interpreter::Stop Interpreter::run_warp(Block& block, Warp*& at_work) {
  for (;;) {
    Warp& warp = *at_work;
    if (warp.live == 0) return Stop::done;
    WarpSplit* const first = warp.splits.data();
    WarpSplit* next = first + warp.splits.size();
    while (next != first && next[-1].state != WarpSplit::State::runnable) --next;
    if (next == first) {
      Stop stop = Stop::waiting;
      if (resolve_warp(block, warp, stop)) continue;
      return stop;
    }
    const Stop stop = values_ != nullptr    ? run_split<Follows::values>(block, at_work, next - 1)
                      : follows_runs(block) ? run_split<Follows::runs>(block, at_work, next - 1)
                                            : run_split<Follows::nothing>(block, at_work, next - 1);
    if (stop != Stop::waiting || at_work->waiting) return stop;
  }
}

}  // namespace cudasim
