// SPDX-License-Identifier: MIT
// Races looked for by all workers. What is found and what is left in memory is what one worker finds and leaves. It is
// known when that was tried in vain.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "checkers/init/initialised.h"
#include "checkers/race/race_workers.h"
#include "checkers/race/shadow/race_checker.h"
#include "checkers/registry/checks.h"
#include "decode/module.h"
#include "machine/run.h"
#include "memory/defined_bytes.h"
#include "memory/memory.h"
#include "program/launch.h"
#include "program/program.h"
#include "ptx/parser.h"

namespace cudasim {
namespace {

constexpr std::uint32_t grid_blocks = 32, block_threads = 128;
constexpr unsigned one_a_core = 0;
constexpr std::uint32_t bytes = grid_blocks * block_threads * 4 + 77;  // the last line is a short one

struct Result {
  std::string findings;
  Counters counters;
  std::vector<std::byte> data;
  std::vector<std::uint64_t> written;
  std::size_t workers = 0;  ///< that were called
  bool given_up = false;
  std::uint32_t origin = 0;  ///< of the undefined value that the kernel has stored in a word of its last block
};

enum class Filled : std::uint8_t { with_one_value, with_many, in_part };
constexpr std::uint32_t a_word_of_the_last_block = (grid_blocks - 1) * block_threads * 4;

/// %r1 = %tid.x, %r2 = %ctaid.x, %r3 = the thread's number in the grid, %rd1 = the array, %rd2 = the thread's word of
/// it.
Result run_kernel(const std::string& body, unsigned workers, Filled filled, bool other_stream_fills = false) {
  const std::string text = R"(.version 8.0
.target sm_75
.address_size 64
.file 1 "student.cu"
.visible .entry k(.param .u64 data) {
.reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<40>; .reg .b64 %rd<40>;
.shared .align 4 .b8 values[512];
ld.param.u64 %rd1, [data];
mov.u32 %r1, %tid.x;
mov.u32 %r2, %ctaid.x;
mad.lo.u32 %r3, %r2, 128, %r1;
mul.wide.u32 %rd2, %r3, 4;
add.s64 %rd2, %rd1, %rd2;
)" + body + "\nret;\n}\n";
  Memory memory(64 << 20);
  memory.watch_writes();
  Module module(ptx::parse(text), memory);
  const auto* data = memory.allocate(bytes, Origin::cuda_malloc);
  if (filled != Filled::in_part) {
    for (std::uint32_t i = 0; i < bytes; ++i)
      data->host[i] = static_cast<std::byte>(filled == Filled::with_one_value ? 7 : i * 13 / 8);
    written::set(data->written.get(), 0, bytes);
  } else {  // every second word of every second line
    for (std::uint32_t i = 0; i + 8 <= bytes; i += 8) {
      if (i / 128 % 2 != 0) written::set(data->written.get(), i, 4);
    }
  }
  Launch launch;
  launch.grid.x = grid_blocks;
  launch.block.x = block_threads;
  launch.parameters.resize(8);
  std::memcpy(launch.parameters.data(), &data->address, 8);
  if (other_stream_fills) {
    UnorderedWork fill;
    fill.places = {true, data->address + a_word_of_the_last_block, 4};
    fill.what = "cudaMemsetAsync writes";
    launch.unordered.push_back(fill);
  }
  Schedule schedule;
  schedule.workers = workers;
  Checks checks;
  look_for_races(checks);
  look_for_undefined_values(checks);
  const Outcome outcome = run(module.program("k"), launch, memory, schedule, &checks);
  Result result;
  for (const auto& f : outcome.findings) {
    result.findings += std::string(name_of(f.kind)) + " line " + std::to_string(f.where.line) + " block " +
                       std::to_string(f.block[0]) + " thread " + std::to_string(f.thread[0]) + " " + f.message + " " +
                       f.scope + " " + f.hazard + " " + f.value_before + " " + f.value_after + " times " +
                       std::to_string(f.occurrences) +
                       (f.other ? " with block " + std::to_string(f.other->block[0]) : "") + "\n";
  }
  result.counters = outcome.counters;
  result.data.assign(data->host, data->host + bytes);
  const std::uint64_t* bits = data->written.get();
  result.written.assign(bits, bits + written::words_for(bytes));
  if (checks.race_workers != nullptr) {
    result.workers = checks.race_workers->workers.size();
    result.given_up = !checks.race_workers->given_up.empty();
  }
  result.origin = checks.init->origin_of_stored(data->address + a_word_of_the_last_block, "k").number;
  return result;
}

/// The same with one worker as with several, of which `result` is what one found.
void expect_the_same(const std::string& body, Filled filled, Result& result, bool other_stream_fills = false) {
  result = run_kernel(body, 1, filled, other_stream_fills);
  EXPECT_EQ(result.workers, 0u);
  for (int repeat = 0; repeat < 10; ++repeat) {
    const Result all = run_kernel(body, 3, filled, other_stream_fills);
    ASSERT_EQ(all.findings, result.findings) << repeat;
    ASSERT_EQ(all.origin, result.origin) << repeat;
    ASSERT_EQ(all.data, result.data) << repeat;
    ASSERT_EQ(all.written, result.written) << repeat;
    ASSERT_EQ(all.counters.warp_instructions, result.counters.warp_instructions);
    ASSERT_EQ(all.counters.thread_instructions, result.counters.thread_instructions);
    ASSERT_EQ(all.counters.global_store_sectors, result.counters.global_store_sectors);
    ASSERT_EQ(all.counters.global_load_sectors, result.counters.global_load_sectors);
    ASSERT_EQ(all.workers, 3u);
    result.given_up |= all.given_up;
  }
}

/// Each thread adds 1 to its own word: to do that twice shows.
const char* const add_in_place = R"(
.loc 1 10 1
ld.global.u32 %r10, [%rd2];
add.u32 %r10, %r10, 1;
.loc 1 11 1
st.global.u32 [%rd2], %r10;
)";

/// What lanes of different blocks do in one line of memory, but never at one place.
const char* const all_blocks_in_every_line = R"(
mad.lo.u32 %r11, %r1, 32, %r2;
mul.wide.u32 %rd3, %r11, 4;
add.s64 %rd3, %rd1, %rd3;
ld.global.u32 %r10, [%rd3];
add.u32 %r10, %r10, 1;
st.global.u32 [%rd3], %r10;)";

const char* const neighbouring_bytes = R"(
mad.lo.u32 %r11, %r1, 32, %r2;
cvt.u64.u32 %rd3, %r11;
add.s64 %rd3, %rd1, %rd3;
ld.global.u8 %h1, [%rd3];
add.u16 %h1, %h1, 1;
st.global.u8 [%rd3], %h1;)";

const char* const shared_sum = R"(
mov.u32 %r11, values;
mad.lo.u32 %r12, %r1, 4, %r11;
st.shared.u32 [%r12], %r3;
bar.sync 0;
xor.b32 %r13, %r1, 64;
mad.lo.u32 %r13, %r13, 4, %r11;
ld.shared.u32 %r14, [%r13];
st.global.u32 [%rd2], %r14;)";

const char* const sums_into_one_word = R"(red.global.add.u32 [%rd1], %r3;)";

TEST(Speculation, WhereNothingIsFoundAllWorkersHaveDoneIt) {
  for (const char* body :
       {add_in_place, all_blocks_in_every_line, neighbouring_bytes, shared_sum, sums_into_one_word}) {
    SCOPED_TRACE(body);
    for (const auto filled : {Filled::with_one_value, Filled::with_many}) {
      Result result;
      expect_the_same(body, filled, result);
      EXPECT_EQ(result.findings, "");
      EXPECT_FALSE(result.given_up);
    }
  }
}

TEST(Speculation, WhatIsFoundIsWhatOneWorkerFinds) {
  struct Case {
    const char* what;
    std::string body;
  };
  const Case cases[] = {
      {"reads a word of the next block", R"(.loc 1 20 1
ld.global.u32 %r11, [%rd2+32];)"},
      {"all blocks store to one word", R"(.loc 1 20 1
st.global.u32 [%rd1+256], %r3;)"},
      {"an atomic and a plain access", R"(.loc 1 20 1
red.global.add.u32 [%rd1+256], 1;)"},
      {"atomics of the block", R"(add.s64 %rd3, %rd1, 16384;
.loc 1 20 1
red.cta.global.add.u32 [%rd3], 1;)"},
      {"a word read through the read-only cache", R"(.loc 1 20 1
ld.global.nc.u32 %r11, [%rd2];)"},
      {"neighbours of one block without a barrier", R"(xor.b32 %r11, %r1, 32;
mad.lo.u32 %r11, %r2, 128, %r11;
mul.wide.u32 %rd3, %r11, 4;
add.s64 %rd3, %rd1, %rd3;
.loc 1 20 1
ld.global.u32 %r11, [%rd3];)"},
      {"shared memory without a barrier", R"(mov.u32 %r11, values;
mad.lo.u32 %r12, %r1, 4, %r11;
xor.b32 %r13, %r1, 64;
mad.lo.u32 %r13, %r13, 4, %r11;
.loc 1 20 1
st.shared.u32 [%r12], %r3;
ld.shared.u32 %r14, [%r13];)"},
      {"the last block goes out of bounds", R"(setp.ne.u32 %p1, %r2, 31;
@%p1 bra DONE;
.loc 1 20 1
st.global.u32 [%rd1+1073741824], %r3;
DONE:)"},
      {"one block never ends", R"(setp.ne.u32 %p1, %r2, 20;
@%p1 bra DONE;
.loc 1 20 1
AGAIN: setp.eq.u32 %p2, %r2, 20;
@%p2 bra AGAIN;
DONE:)"},
  };
  for (const auto& [what, body] : cases) {
    SCOPED_TRACE(what);
    for (const auto filled : {Filled::with_one_value, Filled::with_many}) {
      Result result;
      expect_the_same(add_in_place + body, filled, result);
      EXPECT_NE(result.findings, "");
      EXPECT_TRUE(result.given_up);
    }
  }
}

TEST(Speculation, WhatScatteredStoresReplacedComesBack) {
  Result result;
  expect_the_same(std::string(all_blocks_in_every_line) + "\n.loc 1 20 1\nst.global.u32 [%rd1+256], %r3;",
                  Filled::with_many, result);
  EXPECT_NE(result.findings, "");
  EXPECT_TRUE(result.given_up);
}

TEST(Speculation, WorkOfOtherStreamsIsFound) {
  Result result;
  expect_the_same(add_in_place, Filled::with_many, result, true);
  EXPECT_NE(result.findings.find("cudaMemsetAsync writes"), std::string::npos) << result.findings;
  EXPECT_TRUE(result.given_up);
}

/// In as many steps as are worth another worker.
const char* const many_steps = R"(
mov.u32 %r20, 0;
LOOP: add.u32 %r20, %r20, 1;
setp.lt.u32 %p8, %r20, 500;
@%p8 bra LOOP;
)";

TEST(Speculation, BlocksThatOneWorkerHasRunBeforeCountToo) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "no second core";
  // The last block reads what the first one wrote.
  const std::string racing = std::string(many_steps) + add_in_place + R"(setp.ne.u32 %p1, %r2, 31;
@%p1 bra DONE;
mad.lo.u32 %r11, %r1, 4, 0;
cvt.u64.u32 %rd3, %r11;
add.s64 %rd3, %rd1, %rd3;
.loc 1 20 1
ld.global.u32 %r11, [%rd3];
DONE:)";
  const Result alone = run_kernel(racing, 1, Filled::with_many);
  EXPECT_NE(alone.findings.find("line 20"), std::string::npos) << alone.findings;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const Result all = run_kernel(racing, one_a_core, Filled::with_many);
    EXPECT_EQ(all.findings, alone.findings);
    EXPECT_EQ(all.data, alone.data);
    EXPECT_EQ(all.counters.warp_instructions, alone.counters.warp_instructions);
    EXPECT_TRUE(all.given_up);
  }
  const std::string apart = std::string(many_steps) + add_in_place;
  const Result all = run_kernel(apart, one_a_core, Filled::with_many);
  EXPECT_EQ(all.data, run_kernel(apart, 1, Filled::with_many).data);
  EXPECT_GE(all.workers, 2u);
  EXPECT_FALSE(all.given_up);
}

TEST(Speculation, ValuesThatNothingWroteComeBackWithMemory) {
  // Each thread goes by what it finds, and leaves a defined value.
  Result result;
  expect_the_same(std::string(add_in_place) + R"(
setp.ne.u32 %p1, %r10, 5;
.loc 1 20 1
@%p1 bra DONE;
add.u32 %r11, %r3, 1;
DONE: st.global.u32 [%rd2], %r3;)",
                  Filled::in_part, result);
  EXPECT_NE(result.findings.find("a condition depends on"), std::string::npos) << result.findings;
  EXPECT_TRUE(result.given_up);
}

TEST(Speculation, WhereAnUndefinedValueCameFromIsKnown) {
  Result result;
  expect_the_same(add_in_place, Filled::in_part, result);
  EXPECT_EQ(result.findings, "");
  EXPECT_NE(result.origin, 0u);
}

TEST(Speculation, AValueThatAllBlocksStoreIsNoFinding) {
  Result result;
  expect_the_same("st.global.u32 [%rd1], 42;", Filled::with_many, result);
  EXPECT_EQ(result.findings, "");
}

TEST(Speculation, OrderedBlocksAndFencesAreLeftToOneWorker) {
  for (const char* body : {"atom.global.add.u32 %r10, [%rd1], 1; st.global.u32 [%rd2], %r10;", "membar.gl;",
                           "st.volatile.global.u32 [%rd2], %r3;"}) {
    const Result result = run_kernel(body, 3, Filled::with_many);
    EXPECT_EQ(result.workers, 0u) << body;
  }
}

/// One checker has seen the blocks 0 and 1, the other one blocks 2 and 3. They are compared with a model that knows
/// which thread did what to each word.
TEST(Speculation, CheckersMeetWhereTheModelSays) {
  enum What : std::uint8_t { read = 1, write = 2, update = 4 };
  std::mt19937 engine(7);
  const auto random = [&engine] { return static_cast<std::uint32_t>(engine()); };
  int met = 0, apart = 0;
  Memory memory{1 << 20};
  const Allocation* data = memory.allocate(16384, Origin::cuda_malloc);
  Program program;
  MemoryAccess access;
  access.space = ptx::Space::global;
  access.bytes = 4;
  program.accesses = {access};
  RaceChecker checkers[2];
  for (int round = 0; round < 4000; ++round) {
    std::map<std::uint32_t, std::uint8_t> model[2];
    bool races = false;
    const unsigned accesses = 1 + random() % 12;
    const std::uint32_t words = 1u << (5 + random() % 8);
    for (unsigned c = 0; c < 2; ++c) {
      checkers[c].begin_launch(program, memory);
      RaceBlock blocks[2];
      for (std::uint32_t b = 0; b < 2; ++b) checkers[c].begin_block(blocks[b], 2 * c + b, 4, 1024);
      for (unsigned i = 0; i < accesses; ++i) {
        AccessKind kind;
        const unsigned what = random() % 8;  // mostly reads, and atomics of one scope or the other
        kind.store = what >= 5;
        kind.atomic = what >= 6;
        kind.of_block = what == 7 && random() % 4 == 0;
        RaceChecker::Access seen;
        seen.warp = random() % 4;
        seen.instruction = 1 + random() % 5;
        seen.bytes = 4;
        seen.kind = kind;
        seen.ordering = Ordering::weak;
        const std::uint32_t start = random() % words, step = random() % 3 == 0 ? 0 : random() % 2 == 0 ? 1 : 33;
        std::uint64_t address[kWarpSize];
        for (unsigned lane = 0; lane < kWarpSize; ++lane)
          address[lane] = data->address + 4 * ((start + step * lane) % words);
        Span span;
        lane_kernels(best_level()).span(address, ~0u, span);
        seen.span = &span;
        races |= !checkers[c].look_at(blocks[random() % 2], seen, ~0u, memory).empty();
        for (const std::uint64_t a : address)
          model[c][static_cast<std::uint32_t>(a - data->address) / 4] |= !kind.store                     ? read
                                                                         : kind.atomic && !kind.of_block ? update
                                                                                                         : write;
      }
    }
    if (races) continue;  // then it is in vain anyway
    bool expected = false;
    for (const auto& [word, what] : model[0]) {
      const auto other = model[1].find(word);
      if (other == model[1].end()) continue;
      const unsigned all = what | other->second;
      expected |= (all & write) != 0 || (all & (read | update)) == (read | update);
    }
    ASSERT_EQ(RaceChecker::meet({&checkers[0], &checkers[1]}), expected) << round;
    ++(expected ? met : apart);
  }
  EXPECT_GT(met, 200);
  EXPECT_GT(apart, 200);
}

}  // namespace
}  // namespace cudasim
