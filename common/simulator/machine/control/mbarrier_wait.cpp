// SPDX-License-Identifier: MIT
#include "machine/control/mbarrier_wait.h"

#include "program/paths.h"

namespace cudasim {
namespace {

bool reads_and_writes_nothing(const Activity& now, const Activity& then) {
  return now.global_reads == then.global_reads && now.global_writes == then.global_writes &&
         now.shared_writes == then.shared_writes && now.barriers == then.barriers;
}

/// What can be reached from `pc` by instructions of `ran`, along `next`.
std::vector<bool> reached(std::uint32_t pc, const std::vector<bool>& ran,
                          const std::vector<std::vector<std::uint32_t>>& next) {
  std::vector<bool> seen(ran.size());
  std::vector<std::uint32_t> left{pc};
  while (!left.empty()) {
    const std::uint32_t from = left.back();
    left.pop_back();
    for (const std::uint32_t to : next[from]) {
      if (!ran[to] || seen[to]) continue;
      seen[to] = true;
      left.push_back(to);
    }
  }
  return seen;
}

/// Whether each instruction that ran is in a loop with one that looks at an mbarrier.
bool only_waits(const Program& program, const std::vector<bool>& ran) {
  std::vector<std::vector<std::uint32_t>> ahead(ran.size()), behind(ran.size());
  for (std::uint32_t pc = 0; pc < ran.size(); ++pc) {
    if (!ran[pc]) continue;
    if (program.code[pc].kind == MicroOpcode::call) return false;  // of printf, perhaps
    for (const std::uint32_t next : successors(program, pc)) {
      if (next >= ran.size()) continue;
      ahead[pc].push_back(next);
      behind[next].push_back(pc);
    }
  }
  std::vector<bool> waits(ran.size());
  for (std::uint32_t pc = 0; pc < ran.size(); ++pc) {
    if (!ran[pc] || waits[pc] || program.code[pc].kind != MicroOpcode::async_look) continue;
    const std::vector<bool> forth = reached(pc, ran, ahead), back = reached(pc, ran, behind);
    for (std::uint32_t i = 0; i < ran.size(); ++i) waits[i] = waits[i] || (forth[i] && back[i]);
  }
  return waits == ran;
}

}  // namespace

bool MbarrierWait::is_endless(const Program& program, std::uint64_t steps, std::uint64_t patience,
                              const Activity& activity, const ExecutionCounts& counts) {
  const bool goes_on = !executed_.empty() && reads_and_writes_nothing(activity, activity_);
  if (goes_on && steps - steps_ < patience) return false;
  const std::vector<Executed> now = counts.by_pc();
  std::vector<bool> ran(now.size());
  for (std::size_t pc = 0; pc < now.size() && goes_on; ++pc) ran[pc] = now[pc].warps != executed_[pc];
  if (goes_on && only_waits(program, ran)) return true;
  steps_ = steps;
  activity_ = activity;
  executed_.clear();
  for (const Executed& executed : now) executed_.push_back(executed.warps);
  return false;
}

}  // namespace cudasim
