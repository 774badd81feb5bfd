// SPDX-License-Identifier: MIT
// A kernel of a few lines of PTX, run with the race check.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "checkers/init/initialised.h"
#include "checkers/race/shadow/race_checker.h"
#include "checkers/registry/checks.h"
#include "decode/module.h"
#include "machine/run.h"
#include "memory/memory.h"
#include "program/launch.h"
#include "ptx/parser.h"

namespace cudasim::test {

inline constexpr std::uint32_t grid_blocks = 64, block_threads = 128, out_words = 1 << 16;

/// %r1 = %tid.x, %r2 = %ctaid.x, %rd1 = the array, %rd2 = the cell of the thread in the grid, %r20 a counter, `rounds`.
inline Outcome run_kernel(const std::string& body, unsigned workers, Schedule::Order order = Schedule::Order::plain,
                          bool looks_for_races = true) {
  const std::string text = R"(.version 8.0
.target sm_75
.address_size 64
.file 1 "student.cu"
.visible .entry k(.param .u64 out) {
.reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<40>;
.shared .align 4 .b8 values[512];
.loc 1 10 1
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
mov.u32 %r2, %ctaid.x;
mad.lo.u32 %r3, %r2, 128, %r1;
mul.wide.u32 %rd2, %r3, 4;
add.s64 %rd2, %rd1, %rd2;
mov.u32 %r20, 0;
)" + body + "\nret;\n}\n";
  Memory memory(64 << 20);
  Module module(ptx::parse(text), memory);
  const auto* out = memory.allocate(out_words * 4, Origin::cuda_malloc);
  std::memset(out->host, 0, out_words * 4);
  Launch launch;
  launch.grid.x = grid_blocks;
  launch.block.x = block_threads;
  launch.parameters.resize(8);
  std::memcpy(launch.parameters.data(), &out->address, 8);
  Schedule schedule;
  schedule.workers = workers;
  schedule.order = order;
  schedule.seed = 5;
  Checks checks;
  if (looks_for_races) {
    checks.race = std::make_unique<RaceChecker>();
  } else {
    checks.init = std::make_unique<InitChecker>();
  }
  return run(module.program("k"), launch, memory, schedule, &checks);
}

/// An outcome in words, to compare two runs.
inline std::string text_of(const Outcome& outcome) {
  std::string text = "error " + std::to_string(outcome.cuda_error) + "\n";
  auto index = [](const std::array<std::uint32_t, 3>& i) { return std::to_string(i[0]) + "," + std::to_string(i[1]); };
  for (const auto& f : outcome.findings) {
    text += std::string(name_of(f.kind)) + " line " + std::to_string(f.where.line) + " ptx " +
            std::to_string(f.ptx_line) + " block " + index(f.block) + " thread " + index(f.thread) + " lanes " +
            std::to_string(f.lanes) + " at " + std::to_string(f.address) + " " + f.message + " " + f.scope + " " +
            f.hazard + " " + f.allocation + " " + f.value_before + " " + f.value_after + " times " +
            std::to_string(f.occurrences);
    if (f.other) {
      text += " with line " + std::to_string(f.other->where.line) + " block " + index(f.other->block) + " thread " +
              index(f.other->thread);
    }
    text += "\n";
  }
  return text;
}

}  // namespace cudasim::test
