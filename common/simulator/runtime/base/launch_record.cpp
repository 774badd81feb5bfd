// SPDX-License-Identifier: MIT
#include "runtime/base/launch_record.h"

#include <algorithm>

#include "base/demangle.h"
#include "timing/launch_timing.h"

namespace cudasim {

std::vector<LineCounters> by_line(const Program& program, const std::vector<Counters>& by_instruction) {
  const SourceLines& known = program.source_lines();
  std::vector<LineCounters> lines(known.lines.size());
  for (std::uint32_t i = 1; i < by_instruction.size(); ++i) {
    if (!by_instruction[i].was_issued()) continue;
    LineCounters& line = lines[known.of_counter[i]];
    line.place = &known.lines[known.of_counter[i]];
    line.counters += by_instruction[i];
    line.executions = std::max(line.executions, by_instruction[i].warp_instructions);
  }
  lines.erase(std::remove_if(lines.begin(), lines.end(), [](const auto& line) { return line.place == nullptr; }),
              lines.end());
  return lines;
}

static bool adds_floats(const AtomicAccess& atomic) {
  return atomic.operation == AtomicOperation::add && (atomic.type == ptx::Type::f32 || atomic.type == ptx::Type::f64);
}

bool prints(const Program& program) {
  return std::any_of(program.calls.begin(), program.calls.end(),
                     [](const Call& call) { return call.callee == Call::Callee::printf; });
}

LaunchRecord record_of(const Program& program, const Launch& launch, const Outcome& outcome) {
  LaunchRecord record;
  record.kernel = demangle(program.info.name);
  record.grid = launch.grid;
  record.block = launch.block;
  record.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  record.cooperative = launch.cooperative;
  record.adds_floats = std::any_of(program.atomics.begin(), program.atomics.end(), adds_floats);
  record.has_atomics = !program.atomics.empty();
  record.reads_clock = std::any_of(program.code.begin(), program.code.end(),
                                   [](const MicroOp& op) { return op.kind == MicroOpcode::clock; });
  record.prints = prints(program);
  record.lost_text = outcome.printed_bytes != 0;
  record.cuda_error = outcome.cuda_error;
  record.seconds = outcome.seconds;
  record.counters = outcome.counters;
  if (launch.timing != nullptr) launch.timing->finish(program, outcome.by_instruction);
  record.timing = launch.timing;
  return record;
}

}  // namespace cudasim
