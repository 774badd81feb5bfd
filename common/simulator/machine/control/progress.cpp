// SPDX-License-Identifier: MIT
#include "machine/control/progress.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <string>
#include <utility>

#include "messages/finding_messages.h"

namespace cudasim {

void Progress::look(Block& block, const Warp& warp, const MicroOp& op) {
  steps_ += block.steps - std::exchange(block.counted_steps, block.steps);
  const std::uint64_t steps = grid_.steps.fetch_add(steps_, std::memory_order_relaxed) + std::exchange(steps_, 0);
  const Schedule& schedule = grid_.schedule;
  if (!schedule.still_running || grid_.blocks_done.load(std::memory_order_relaxed) == grid_.blocks) return;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - grid_.begun;
  unsigned told = grid_.times_told.load(std::memory_order_relaxed);
  const double patience = schedule.patience_seconds;
  const double due = told == 0 ? patience : std::ldexp(std::max(patience, 1.0), static_cast<int>(told));
  if (elapsed.count() < due || !grid_.times_told.compare_exchange_strong(told, told + 1)) return;
  Finding now = finding_at(grid_, block, warp, op, 1, FindingKind::step_budget);
  now.message = "after " + std::to_string(std::lround(elapsed.count())) + " s and " + std::to_string(steps) +
                " warp instructions, " + std::to_string(grid_.blocks_done.load(std::memory_order_relaxed)) + " of " +
                std::to_string(grid_.blocks) + (grid_.blocks == 1 ? " block has" : " blocks have") + " ended";
  now.advice = "It may take long, or never end. It is stopped when a block has executed " +
               std::to_string(worker_.step_budget) + " of them, or the launch " +
               std::to_string(worker_.launch_budget) + " (CUDASIM_STEP_BUDGET)";
  const std::lock_guard<std::mutex> lock(grid_.mutex);
  if (schedule.show_text) schedule.show_text(grid_.printed.take_early());
  schedule.still_running(now);
}

void Progress::look_between_blocks(Block& block) {
  const MicroOp& begin = program_.code[program_.functions[0].entry];
  look(block, block.warps.front(), begin);
  const bool is_too_large = grid_.blocks > worker_.launch_budget / grid_.warps_per_block;
  if (!is_too_large && grid_.steps.load(std::memory_order_relaxed) <= worker_.launch_budget) return;
  if (grid_.next_block.exchange(grid_.blocks) >= grid_.blocks) return;  // no block is left, or others were first
  if (grid_.is_speculative) return grid_.give_up();
  Finding f = finding_at(grid_, block, block.warps.front(), begin, 1, FindingKind::step_budget);
  const std::string budget = "the launch's budget of " + std::to_string(worker_.launch_budget) + " warp instructions";
  f.message = (is_too_large ? "the launch has more warps than " + budget + " has instructions"
                            : "the launch used up " + budget) +
              ": it has " + std::to_string(grid_.blocks) + " blocks of " + std::to_string(grid_.warps_per_block) +
              (grid_.warps_per_block == 1 ? " warp" : " warps");
  f.advice = "is the grid as large as you meant? Where it is, try a smaller input here. The budget of a launch is " +
             std::to_string(kBudgetsOfALaunch) + " times that of a block, which CUDASIM_STEP_BUDGET sets";
  report(grid_, block, std::move(f));
}

}  // namespace cudasim
