// SPDX-License-Identifier: MIT
#include "decode/stack_size.h"

#include <algorithm>

namespace cudasim {
namespace {

/// Stack needed below a function, by the deepest chain of direct calls.
struct StackDepth {
  std::uint32_t frame = 0, local = 0;
};

/// Sets `recursive` on a cycle.
StackDepth stack_depth(const Program& program, const std::vector<std::vector<std::uint32_t>>& callees,
                       std::uint32_t function, std::vector<std::uint8_t>& state, std::vector<StackDepth>& depth,
                       bool& recursive, unsigned calls = 0) {
  constexpr unsigned kDeepest = 1000;  // the text is untrusted and must not exhaust this program's own stack
  if (state[function] == 1 || calls > kDeepest) {
    recursive = true;
    return {};
  }
  if (state[function] == 2) return depth[function];
  state[function] = 1;
  StackDepth below;
  for (auto callee : callees[function]) {
    const auto d = stack_depth(program, callees, callee, state, depth, recursive, calls + 1);
    below.frame = std::max(below.frame, d.frame);
    below.local = std::max(below.local, d.local);
  }
  state[function] = 2;
  depth[function] = {below.frame + program.functions[function].frame_bytes,
                     below.local + program.functions[function].local_bytes};
  return depth[function];
}

}  // namespace

void size_stack(Program& program, const std::vector<std::uint32_t>& begin_of_function) {
  std::vector<std::vector<std::uint32_t>> callees(program.functions.size());
  for (std::uint32_t f = 0; f < program.functions.size(); ++f) {
    const auto end = f + 1 < program.functions.size() ? begin_of_function[f + 1] : program.code.size();
    for (std::size_t pc = begin_of_function[f]; pc < end; ++pc) {
      if (program.code[pc].kind != MicroOpcode::call) continue;
      const auto& call = program.calls[program.code[pc].extra];
      if (call.callee == Call::Callee::function) callees[f].push_back(call.function);
      if (call.callee == Call::Callee::indirect) program.recursive = true;
      program.has_calls |= call.callee == Call::Callee::function || call.callee == Call::Callee::indirect;
    }
  }
  std::vector<std::uint8_t> state(program.functions.size(), 0);
  std::vector<StackDepth> depth(program.functions.size());
  const auto total = stack_depth(program, callees, 0, state, depth, program.recursive);
  // Lanes may be in different functions at the same time. They do not share registers then.
  std::uint64_t every_frame = 0;
  for (const auto& function : program.functions) every_frame += function.frame_bytes;
  program.stack_frame_bytes = program.has_calls ? static_cast<std::uint32_t>(2 * every_frame) : total.frame;
  program.stack_local_bytes = total.local;
}

}  // namespace cudasim
