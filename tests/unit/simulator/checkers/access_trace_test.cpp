// SPDX-License-Identifier: MIT
// What an AccessTrace keeps of a kernel: which block, which steps, from which lane. That its addresses are those which
// are counted is tests/course/contract/pictures_count.py, over all answers.
#include "checkers/history/access_trace.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "checkers/registry/checks.h"
#include "decode/module.h"
#include "machine/run.h"
#include "memory/memory.h"
#include "program/program.h"
#include "ptx/parser.h"

namespace cudasim {
namespace {

using Action = AccessTrace::Action;

/// Runs `body` with two blocks of 64 threads. Its registers: %rd1 is `out`, a word for each thread of the grid. For a
/// thread, %r1 is its number in its block, %r2 the block's, %r3 4 * %r1.
Counters run_traced(const std::shared_ptr<AccessTrace>& trace, const std::string& body, std::uint64_t* out = nullptr) {
  const std::string text = R"(.version 8.0
.target sm_75
.address_size 64
.file 1 "student.cu"
.visible .entry k(.param .u64 p) {
.reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>;
.shared .align 4 .b8 first[64];
.shared .align 4 .b8 cells[1024];
.loc 1 10 1
ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; shl.b32 %r3, %r1, 2;
st.shared.u32 [first], %r1;
)" + body + "\nret;\n}\n";
  Memory memory(1 << 20);
  Module module(ptx::parse(text), memory);
  const auto* words = memory.allocate(512, Origin::cuda_malloc);
  if (out != nullptr) *out = words->address;
  Launch launch;
  launch.grid.x = 2;
  launch.block.x = 64;
  launch.parameters.resize(8);
  std::memcpy(launch.parameters.data(), &words->address, 8);
  Checks checks;
  checks.observers.push_back(trace);
  const Outcome outcome = run(module.program("k"), launch, memory, Schedule{}, &checks);
  EXPECT_EQ(outcome.cuda_error, 0);
  return outcome.counters;
}

/// The lines behind the common first one.
std::vector<AccessTrace::Event> events_of(const AccessTrace& trace) {
  std::vector<AccessTrace::Event> found;
  for (const auto& launch : trace.launches()) {
    for (const auto& event : launch.events) {
      if (launch.instructions[event.instruction].where.line > 10) found.push_back(event);
    }
  }
  return found;
}

TEST(AccessTrace, KeepsTheAddressesOfOneBlock) {
  const auto trace = std::make_shared<AccessTrace>(1);
  std::uint64_t out = 0;
  run_traced(trace, R"(
.loc 1 11 1
mad.lo.u32 %r4, %r2, 64, %r1; mul.wide.u32 %rd2, %r4, 4; add.u64 %rd2, %rd1, %rd2;
setp.eq.u32 %p1, %r1, 35;
@%p1 st.global.u32 [%rd2], %r1;
)",
             &out);
  const auto events = events_of(*trace);
  ASSERT_EQ(events.size(), 1u);  // the other warp does nothing there, nor does the other block
  EXPECT_EQ(events[0].warp, 1u);
  EXPECT_EQ(events[0].mask, 1u << 3);
  EXPECT_EQ(events[0].values[3], out + 4 * (64 + 35));
  EXPECT_EQ(events[0].sectors, 1u);
  const auto& launch = trace->launches().front();
  EXPECT_EQ(launch.arrays[events[0].array].address, out);
  EXPECT_EQ(launch.arrays[events[0].array].bytes, 512u);
  const auto& instruction = launch.instructions[events[0].instruction];
  EXPECT_EQ(instruction.where.file, "student.cu");
  EXPECT_EQ(instruction.action, Action::store);
  EXPECT_FALSE(instruction.is_shared);
}

TEST(AccessTrace, CountsStepsAndPasses) {
  const auto trace = std::make_shared<AccessTrace>(0);
  run_traced(trace, R"(
.loc 1 11 1
mov.u32 %r4, cells; shl.b32 %r5, %r1, 3; add.u32 %r5, %r4, %r5;
st.shared.u32 [%r5], %r1;
bar.sync 0;
.loc 1 12 1
add.u32 %r5, %r4, %r3; ld.shared.u32 %r6, [%r5];
bar.sync 0;
.loc 1 13 1
cvt.u64.u32 %rd2, %r4; cvta.shared.u64 %rd2, %rd2; atom.add.u32 %r7, [%rd2], 1;
)");
  const auto events = events_of(*trace);
  ASSERT_EQ(events.size(), 6u);
  const auto& launch = trace->launches().front();
  for (const auto& event : events) {
    const auto& instruction = launch.instructions[event.instruction];
    const auto step = static_cast<std::uint32_t>(instruction.where.line - 11);
    EXPECT_EQ(event.step, step);
    EXPECT_TRUE(instruction.is_shared);
    EXPECT_EQ(event.wavefronts, (std::vector<std::uint32_t>{2, 1, 32})[step]);
    EXPECT_EQ(event.least_wavefronts, 1u);
    EXPECT_EQ(launch.arrays[event.array].name, "cells");
  }
}

TEST(AccessTrace, HasMatricesByTheirRows) {
  const auto trace = std::make_shared<AccessTrace>(0);
  const Counters counted = run_traced(trace, R"(
mov.u32 %r4, cells; add.u32 %r5, %r4, %r3; st.shared.u32 [%r5], %r1; st.shared.u32 [%r5+256], %r1;
bar.sync 0;
.loc 1 11 1
and.b32 %r6, %r1, 31; shl.b32 %r6, %r6, 4; add.u32 %r5, %r4, %r6;
ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r7, %r8, %r9, %r10}, [%r5];
.loc 1 12 1
ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r7, %r8}, [%r5];
)");
  const auto events = events_of(*trace);
  ASSERT_EQ(events.size(), 4u) << "one of each warp and instruction";
  unsigned wavefronts = 0;
  for (const auto& event : events) {
    const auto& instruction = trace->launches().front().instructions[event.instruction];
    const bool is_first = instruction.where.line == 11;
    EXPECT_TRUE(instruction.in_rows);
    EXPECT_EQ(instruction.bytes, 16u);
    EXPECT_EQ(event.mask, is_first ? ~0u : 0xffffu);
    EXPECT_EQ(event.values[9] - event.values[0], 144u);
    EXPECT_EQ(event.wavefronts, is_first ? 4u : 2u);
    wavefronts += event.wavefronts;
  }
  EXPECT_EQ(counted.shared_load_wavefronts, 2 * wavefronts) << "of two blocks";
  EXPECT_EQ(counted.shared_load_requests, 0u);
}

TEST(AccessTrace, CountsWhatIsIssuedForNoLaneOfTheWholeGrid) {
  const auto trace = std::make_shared<AccessTrace>(0);
  const Counters counted = run_traced(trace, R"(
ld.shared.u32 %r4, [first];
setp.lt.u32 %p1, %r1, 999;
@%p1 bra L;
ld.shared.u32 %r4, [cells];
L: add.u32 %r4, %r4, %r4;
)");
  EXPECT_EQ(trace->launches().front().idle_loads, 2u);
  EXPECT_EQ(counted.shared_load_requests, 4u + 4u) << "of two blocks, with those that lanes take part in";
}

TEST(AccessTrace, SaysWhichLaneAShuffleReads) {
  const auto trace = std::make_shared<AccessTrace>(0);
  run_traced(trace, R"(
.loc 1 11 1
shfl.sync.down.b32 %r4, %r1, 4, 31, -1;
.loc 1 12 1
and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 0;
@%p1 bra EVEN;
shfl.sync.bfly.b32 %r4, %r1, 1, 31, -1;
bra DONE;
EVEN: shfl.sync.bfly.b32 %r4, %r1, 1, 31, -1;
DONE: mov.u32 %r6, %r4;
)");
  const auto events = events_of(*trace);
  ASSERT_EQ(events.size(), 6u);  // of each warp one, and two halves that meet
  for (const auto& instruction : trace->launches().front().instructions) {
    EXPECT_EQ(instruction.counted_bytes, 4u) << instruction.where.line;
  }
  for (const auto& event : events) {
    const bool is_down = event.mask == ~0u;
    for (Mask m = event.mask; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      EXPECT_EQ(event.values[lane], is_down ? (lane + 4 < 32 ? lane + 4 : lane) : lane ^ 1);
    }
  }
}

TEST(AccessTrace, KeepsTheFirstTimesOfALoop) {
  const auto trace = std::make_shared<AccessTrace>(0);
  run_traced(trace, R"(
.loc 1 11 1
mov.u32 %r4, 0;
LOOP: ld.shared.u32 %r5, [first]; add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 100;
@%p1 bra LOOP;
)");
  EXPECT_EQ(events_of(*trace).size(), 2 * AccessTrace::kMostExecutions);
  EXPECT_EQ(trace->launches().front().left_out, 2 * (100 - AccessTrace::kMostExecutions));
}

}  // namespace
}  // namespace cudasim
