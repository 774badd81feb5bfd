// SPDX-License-Identifier: MIT
// The life of a block that has a multiprocessor for itself. An instruction is issued when the registers that it reads
// are ready; four schedulers issue one instruction a cycle each. Between two branches or barriers ptxas puts
// instructions into a better order, so there the order of the PTX text does not matter, but for loads behind stores. A
// load waits for the level that has its data. Barriers join warps.
#pragma once

#include <vector>

#include "timing/caches/block_trace.h"
#include "timing/latencies.h"
#include "timing/operations.h"

namespace cudasim {

/// Accesses that follow each other because each needs what the one before has read, by the level that answers.
struct DependentSteps {
  double dram = 0, l2 = 0, l1 = 0, shared = 0;
};

struct BlockLife {
  double cycles = 0;        ///< from the first instruction to the last result
  double issue_cycles = 0;  ///< turns of the schedulers, divided by their number
  DependentSteps steps;     ///< on the way that determines `cycles`

  static constexpr double BlockLife::*kTimes[] = {&BlockLife::cycles, &BlockLife::issue_cycles};
  static constexpr double DependentSteps::*kSteps[] = {&DependentSteps::dram, &DependentSteps::l2, &DependentSteps::l1,
                                                       &DependentSteps::shared};
  void add(const BlockLife& other) {
    for (const auto each : kTimes) this->*each += other.*each;
    for (const auto each : kSteps) steps.*each += other.steps.*each;
  }
  void divide_by(double count) {
    for (const auto each : kTimes) this->*each /= count;
    for (const auto each : kSteps) steps.*each /= count;
  }
};

/// Which part of a request's answer comes from where. One level: 1 there.
struct AnswerShares {
  float l2 = 0, dram = 0;  ///< the rest: of the L1
};

constexpr unsigned kSchedulers = 4;

/// `answers`: of each request of global memory, by warp and by its index in WarpTrace::requests. A trace that ends
/// early stands for the whole block: the result is scaled by its instructions.
BlockLife live(const BlockTrace& trace, const std::vector<std::vector<AnswerShares>>& answers,
               const Operations& operations, const Latencies& latencies);

}  // namespace cudasim
