// SPDX-License-Identifier: MIT
#include "program/paths.h"

#include <algorithm>

#include "program/program.h"

namespace cudasim {

Waiting waiting(const Program& program, const MicroOp& op, bool of_warp) {
  if (op.kind == MicroOpcode::warp_sync) return of_warp ? Waiting::some : Waiting::nobody;
  if (op.kind != MicroOpcode::barrier) return Waiting::nobody;
  const auto& barrier = program.barriers[op.extra];
  if (barrier.mode == BarrierOperation::Mode::arrive) return Waiting::nobody;
  return barrier.has_count && !of_warp ? Waiting::some : Waiting::all;
}

std::vector<std::uint32_t> successors(const Program& program, std::uint32_t pc) {
  const MicroOp& op = program.code[pc];
  const bool guarded = op.guard_mode != MicroOp::Guard::always;
  std::vector<std::uint32_t> next;
  if (op.kind == MicroOpcode::branch) {
    next.push_back(program.branches[op.extra].target);
    if (!guarded) return next;
  } else if (op.kind == MicroOpcode::branch_indexed) {
    next = program.branches[op.extra].targets;
  } else if ((op.kind == MicroOpcode::exit || op.kind == MicroOpcode::ret || op.kind == MicroOpcode::trap) &&
             !guarded) {
    return next;
  }
  next.push_back(pc + 1);
  return next;
}

std::vector<bool> ways_to_the_end(const Program& program) {
  const auto ends_here = [&](std::uint32_t pc) {
    switch (const MicroOp& op = program.code[pc]; op.kind) {
      case MicroOpcode::exit:
      case MicroOpcode::ret:
      case MicroOpcode::trap:
        return true;
      case MicroOpcode::call:
        return program.calls[op.extra].callee == Call::Callee::function ||
               program.calls[op.extra].callee == Call::Callee::indirect ||
               program.calls[op.extra].callee == Call::Callee::assert_fail;
      default:
        return false;
    }
  };
  std::vector<std::vector<std::uint32_t>> before(program.code.size());
  std::vector<bool> can_end(program.code.size());
  std::vector<std::uint32_t> left;
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    can_end[pc] = ends_here(pc);
    for (const std::uint32_t next : successors(program, pc)) {
      if (next < before.size()) before[next].push_back(pc);
      if (next >= before.size()) can_end[pc] = true;
    }
    if (can_end[pc]) left.push_back(pc);
  }
  while (!left.empty()) {
    const std::uint32_t pc = left.back();
    left.pop_back();
    for (const std::uint32_t earlier : before[pc]) {
      if (can_end[earlier]) continue;
      can_end[earlier] = true;
      left.push_back(earlier);
    }
  }
  return can_end;
}

Path find_path(const Program& program, std::uint32_t from, std::uint32_t to, bool of_warp) {
  struct Pass {
    Waiting most;  // that it goes past
    Path found;
  };
  for (const Pass pass :
       {Pass{Waiting::nobody, Path::free}, {Waiting::some, Path::partly}, {Waiting::all, Path::barred}}) {
    std::vector<bool> seen(program.code.size());
    std::vector<std::uint32_t> left = successors(program, from);
    while (!left.empty()) {
      const std::uint32_t pc = left.back();
      left.pop_back();
      if (pc >= program.code.size() || seen[pc]) continue;
      if (pc == to) return pass.found;
      seen[pc] = true;
      if (waiting(program, program.code[pc], of_warp) > pass.most) continue;
      for (const std::uint32_t next : successors(program, pc)) left.push_back(next);
    }
  }
  return Path::none;
}

namespace {

/// From which instructions a thread may come to the one at `to`, also past barriers. One search serves all branches of
/// an unrolled kernel.
std::vector<bool> that_come_to(const Program& program, std::uint32_t to) {
  std::vector<std::vector<std::uint32_t>> before(program.code.size());
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    for (const std::uint32_t next : successors(program, pc)) {
      if (next < before.size()) before[next].push_back(pc);
    }
  }
  std::vector<bool> comes(program.code.size());
  std::vector<std::uint32_t> left{to};
  while (!left.empty()) {
    const std::uint32_t pc = left.back();
    left.pop_back();
    if (comes[pc]) continue;
    comes[pc] = true;
    left.insert(left.end(), before[pc].begin(), before[pc].end());
  }
  return comes;
}

}  // namespace

std::vector<std::uint32_t> branches_away_from(const Program& program, std::uint32_t to) {
  const std::vector<bool> comes_to = that_come_to(program, to);
  std::vector<std::uint32_t> result;
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    const MicroOp& op = program.code[pc];
    if (op.guard_mode == MicroOp::Guard::always || (op.kind != MicroOpcode::branch && op.kind != MicroOpcode::exit))
      continue;
    const auto next = successors(program, pc);
    const auto comes =
        std::count_if(next.begin(), next.end(), [&](std::uint32_t n) { return n < comes_to.size() && comes_to[n]; });
    const auto sides = op.kind == MicroOpcode::exit ? 2 : static_cast<std::ptrdiff_t>(next.size());
    if (comes != 0 && comes != sides) result.push_back(op.counter);
  }
  return result;
}

}  // namespace cudasim
