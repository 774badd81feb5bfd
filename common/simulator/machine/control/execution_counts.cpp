// SPDX-License-Identifier: MIT
#include "machine/control/execution_counts.h"

namespace cudasim {

std::vector<Executed> ExecutionCounts::by_pc() const {
  const auto& code = program_.code;
  std::vector<Executed> result(runs_.get(), runs_.get() + code.size() + 1);
  for (std::size_t pc = 0; pc < code.size(); ++pc) {
    if (code[pc].kind != MicroOpcode::branch) continue;
    result[pc + 1] -= jumps_[code[pc].extra];
    result[program_.branches[code[pc].extra].target] += jumps_[code[pc].extra];
  }
  for (std::size_t pc = 1; pc < code.size(); ++pc) result[pc] += result[pc - 1];
  return result;
}

void ExecutionCounts::add_to(std::vector<Counters>& by_instruction, const Counters* counters) const {
  by_instruction.resize(program_.origins.size());
  const std::vector<Executed> executed = by_pc();
  for (std::size_t pc = 0; pc < program_.code.size(); ++pc) {
    const Executed& now = executed[pc];
    const auto& op = program_.code[pc];
    if (op.counter == 0 || now.warps == 0) continue;
    auto& sum = by_instruction[op.counter];
    sum.warp_instructions += now.warps;
    sum.thread_instructions += now.threads();
    if (program_.origins[op.counter].divides) sum.integer_divisions += now.warps;
    if (program_.origins[op.counter].is_used_early) sum.shared_loads_used_early += now.warps;
    if (op.kind != MicroOpcode::branch || op.guard_mode == MicroOp::Guard::always) continue;
    sum.branches += now.warps;
    const auto& branch = program_.branches[op.extra];
    const auto add_skipped = [&](const std::vector<Branch::Skipped>& accesses, std::uint64_t times) {
      for (const auto& access : accesses) {
        auto& skipped = by_instruction[access.counter];
        (access.is_store ? skipped.shared_store_requests : skipped.shared_load_requests) += times;
      }
    };
    const std::uint64_t by_all = jumps_[op.extra].warps;
    add_skipped(branch.skipped_by_all, by_all);
    add_skipped(branch.skipped_by_none, now.warps - by_all - counters[op.counter].divergent_branches);
  }
  for (std::size_t i = 1; i < by_instruction.size(); ++i) {
    if (by_instruction[i].warp_instructions != 0) by_instruction[i] += counters[i];
  }
}

}  // namespace cudasim
