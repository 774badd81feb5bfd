// SPDX-License-Identifier: MIT
// Additions that a worker makes later than they stand in the kernel: nobody may be able to tell.
#include "machine/units/deferred_atomics.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "checkers/init/initialised.h"
#include "checkers/race/shadow/race_checker.h"
#include "checkers/registry/checks.h"
#include "decode/module.h"
#include "machine/run.h"
#include "memory/memory.h"
#include "program/launch.h"
#include "program/program.h"
#include "program/texture.h"
#include "ptx/parser.h"
#include "state/observer.h"

namespace cudasim {
namespace {

using Word = DeferredAtomics::Word;

/// Memory of which a word in the middle is asked for.
struct Cells {
  std::vector<Word> words = std::vector<Word>(32 * DeferredAtomics::kMostBytes / sizeof(Word));
  std::byte* at(std::size_t word) { return reinterpret_cast<std::byte*>(&words[word]); }
};

bool add(DeferredAtomics& additions, Cells& cells, std::size_t word, Word value) {
  if (!additions.takes(cells.at(word), sizeof(Word))) return false;
  additions.sum(cells.at(word)) += value;
  return true;
}

TEST(DeferredAtomics, AreMadeWhenSomebodyLooksThere) {
  Cells cells;
  DeferredAtomics additions;
  ASSERT_TRUE(add(additions, cells, 1000, 3));
  ASSERT_TRUE(add(additions, cells, 1000, ~0u));
  ASSERT_TRUE(add(additions, cells, 1003, 2));
  ASSERT_TRUE(add(additions, cells, 1003, 3));
  additions.before(cells.at(999), 4);
  additions.before(cells.at(1004), 4);
  EXPECT_EQ(cells.words[1000], 0u);
  additions.before(cells.at(1003) + 3, 1);
  EXPECT_EQ(cells.words[1000], 2u);
  EXPECT_EQ(cells.words[1003], 5u);
  additions.flush();
  EXPECT_EQ(cells.words[1000], 2u) << "made twice";
  ASSERT_TRUE(add(additions, cells, 1000, 1));
  additions.before(cells.at(0), 4 * 1001);
  EXPECT_EQ(cells.words[1000], 3u);
}

TEST(DeferredAtomics, LieInAFewStretchesThatMoveWhereTheWorkIs) {
  constexpr std::size_t reach = DeferredAtomics::kMostBytes / sizeof(Word), far = 4 * reach;
  Cells cells;
  DeferredAtomics additions;
  std::size_t places = 0;
  while (add(additions, cells, places * far, 1)) ++places;
  ASSERT_GT(places, 1u);
  EXPECT_TRUE(additions.takes(cells.at(far), DeferredAtomics::kMostBytes)) << "as much as is promised";
  additions.before(cells.at(far / 2), sizeof(Word));  // between two of them
  EXPECT_EQ(cells.words[far], 0u);
  unsigned refused = 1;
  while (!add(additions, cells, places * far, 1)) ASSERT_LT(++refused, 1000u);
  for (std::size_t place = 0; place < places; ++place) EXPECT_EQ(cells.words[place * far], 1u);
  EXPECT_EQ(cells.words[places * far], 0u);
  EXPECT_TRUE(add(additions, cells, 1, 7)) << "of those that are not in use";
  additions.flush();
  EXPECT_EQ(cells.words[places * far], 1u);
  EXPECT_EQ(cells.words[1], 7u);
}

TEST(DeferredAtomics, AreRefusedForAWhileWhereEachIsLookedAt) {
  Cells cells;
  DeferredAtomics additions;
  unsigned taken = 0, refused = 0;
  const auto add_and_look = [&] {
    ++(add(additions, cells, 9, 1) ? taken : refused);
    additions.before(cells.at(9), sizeof(Word));
  };
  for (unsigned i = 0; i < 1000; ++i) add_and_look();
  EXPECT_EQ(cells.words[9], taken);
  EXPECT_LT(taken, 10u);
  while (!add(additions, cells, 9, 1)) ASSERT_LT(++refused, 2000u);
  for (unsigned i = 0; i < 1000; ++i) {
    EXPECT_TRUE(add(additions, cells, 9, 1));
    if (i % 100 == 99) additions.before(cells.at(9), sizeof(Word));
  }
  EXPECT_EQ(cells.words[9], taken + 1001);
}

constexpr std::uint32_t blocks = 60, threads = 64, rounds = 40;
constexpr std::uint64_t object = 5;

struct Ran {
  Outcome outcome;
  std::vector<Word> data, out;
};

/// In `body` %rd1 is `data` and %rd2 `out`, %rd3 and %rd4 the thread's own word in each. And %r1 is its number in the
/// block, %r2 that in the grid, %r3 the block's. `data` is also a texture.
Ran run_kernel(const std::string& body, unsigned workers, std::uint32_t grid = blocks, std::uint32_t block = threads,
               Checks* checks = nullptr) {
  Memory memory(16 << 20);
  if (checks != nullptr) memory.watch_writes();
  Module module(ptx::parse(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 out) {
.reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>;
.shared .align 4 .b32 words[64];
ld.param.u64 %rd1, [data];
ld.param.u64 %rd2, [out];
mov.u32 %r1, %tid.x;
mov.u32 %r3, %ctaid.x;
mov.u32 %r4, %ntid.x;
mad.lo.u32 %r2, %r3, %r4, %r1;
mul.wide.u32 %rd5, %r2, 4;
add.s64 %rd3, %rd1, %rd5;
add.s64 %rd4, %rd2, %rd5;
)" + body + "\nret;\n}\n"),
                memory);
  const std::size_t words = std::size_t{grid} * block;
  const Allocation *data = memory.allocate(4 * words, Origin::cuda_malloc),
                   *out = memory.allocate(4 * words, Origin::cuda_malloc);
  for (const Allocation* a : {data, out}) {
    std::memset(a->host, 0, a->size_bytes);
    if (checks != nullptr) written::set(a->written.get(), 0, a->size_bytes);
  }
  Texture texture;
  texture.address = data->address;
  texture.extent[0] = static_cast<std::uint32_t>(words);
  texture.is_plain_memory = true;
  texture.element = Texture::Element::whole;
  const TextureTable textures{{object, texture}};
  Launch launch;
  launch.grid.x = grid;
  launch.block.x = block;
  launch.textures = &textures;
  launch.parameters.resize(16);
  std::memcpy(launch.parameters.data(), &data->address, 8);
  std::memcpy(launch.parameters.data() + 8, &out->address, 8);
  Schedule schedule;
  schedule.workers = workers;
  Ran ran{run(module.program("k"), launch, memory, schedule, checks), std::vector<Word>(words),
          std::vector<Word>(words)};
  std::memcpy(ran.data.data(), data->host, 4 * words);
  std::memcpy(ran.out.data(), out->host, 4 * words);
  return ran;
}

// Enough that others are called when the first block has ended.
const std::string adds_to_own_word = R"(
mov.u32 %r5, 0;
AGAIN: red.global.add.u32 [%rd3], 1;
add.u32 %r5, %r5, 1;
setp.lt.u32 %p1, %r5, 40;
@%p1 bra AGAIN;
bar.sync 0;
)";

TEST(DeferredAtomics, AreInMemoryWhenTheLaunchIsOver) {
  // Each thread adds to 40 of 64 words, in steps that differ, and some add what makes the sum wrap.
  const std::string body = R"(
mov.u32 %r5, 0;
AGAIN: mad.lo.u32 %r6, %r5, %r1, %r2;
and.b32 %r6, %r6, 63;
mul.wide.u32 %rd6, %r6, 4;
add.s64 %rd6, %rd1, %rd6;
mul.lo.u32 %r7, %r6, 0x12345678;
red.global.add.u32 [%rd6], %r7;
add.u32 %r5, %r5, 1;
setp.lt.u32 %p1, %r5, 40;
@%p1 bra AGAIN;)";
  std::vector<Word> sums(blocks * threads);
  for (std::uint32_t thread = 0; thread < blocks * threads; ++thread) {
    for (std::uint32_t round = 0; round < rounds; ++round) {
      const std::uint32_t word = (round * (thread % threads) + thread) % 64;
      sums[word] += word * 0x12345678u;
    }
  }
  const Ran alone = run_kernel(body, 1);
  EXPECT_EQ(alone.data, sums);
  for (unsigned workers : {2u, 4u}) {
    const Ran all = run_kernel(body, workers);
    EXPECT_TRUE(all.outcome.findings.empty());
    EXPECT_EQ(all.data, sums);
    for (const auto& [name, counter] : kCounterNames)
      EXPECT_EQ(all.outcome.counters.*counter, alone.outcome.counters.*counter) << name;
    Checks checks;
    checks.init = std::make_unique<InitChecker>();
    EXPECT_EQ(run_kernel(body, workers, blocks, threads, &checks).data, sums);
    checks.race = std::make_unique<RaceChecker>();
    EXPECT_EQ(run_kernel(body, workers, blocks, threads, &checks).data, sums);
  }
}

TEST(DeferredAtomics, AreNotAllThatWorkersDoAtOnce) {
  // Sums of 64 bits are made where they stand, each by one lane, so that they are not most of the work.
  const std::string body = R"(
mov.u32 %r5, 0;
setp.eq.u32 %p2, %r1, 0;
AGAIN: @%p2 red.global.add.u64 [%rd1], 3;
add.u32 %r5, %r5, 1;
setp.lt.u32 %p1, %r5, 3000;
@%p1 bra AGAIN;)";
  for (unsigned workers : {1u, 2u, 4u}) EXPECT_EQ(run_kernel(body, workers).data[0], blocks * 3000 * 3);
}

/// What one block's atomics find and leave, as an observer sees it.
class Counts : public Observer {
 public:
  Counts() : Observer(blocks - 1) {}
  void before(const AccessSeen& seen) override { look_at(seen, before_); }
  void after(const AccessSeen& seen) override { look_at(seen, after_); }
  std::vector<Word> before_, after_;

 private:
  static void look_at(const AccessSeen& seen, std::vector<Word>& words) {
    if (!seen.is_atomic) return;
    std::memcpy(&words.emplace_back(), seen.memory[0], sizeof(Word));
  }
};

struct Look {
  const char* body;          ///< %r9 is what is seen
  Word even = 40, odd = 40;  ///< what threads of even and odd numbers should see
};

class WhoLooks : public testing::TestWithParam<Look> {};

TEST(DeferredAtomics, AreNotMadeWhereSomebodyObservesThem) {
  Checks checks;
  const auto counts = std::make_shared<Counts>();
  checks.observers.push_back(counts);
  run_kernel(adds_to_own_word, 3, blocks, threads, &checks);
  ASSERT_EQ(counts->before_.size(), 2 * rounds);
  for (std::uint32_t i = 0; i < 2 * rounds; ++i) {
    EXPECT_EQ(counts->before_[i], i % rounds);
    EXPECT_EQ(counts->after_[i], i % rounds + 1);
  }
}

TEST_P(WhoLooks, SeesWhatItsBlockHasAdded) {
  const Look& look = GetParam();
  for (unsigned workers : {1u, 3u}) {
    const Ran ran = run_kernel(adds_to_own_word + look.body + "\nst.global.u32 [%rd4], %r9;", workers);
    ASSERT_TRUE(ran.outcome.findings.empty()) << ran.outcome.findings.front().message;
    for (std::uint32_t i = 0; i < ran.out.size(); ++i)
      ASSERT_EQ(ran.out[i], i % 2 == 0 ? look.even : look.odd) << i << " with workers: " << workers;
  }
}

INSTANTIATE_TEST_SUITE_P(
    DeferredAtomics, WhoLooks,
    testing::Values(
        Look{"ld.global.u32 %r9, [%rd3];"},  // side by side
        Look{"ld.u32 %r9, [%rd3];"},         // by a generic address
        Look{"ld.global.u8 %r9, [%rd3];"},   // not by words
        Look{"ld.global.nc.u32 %r9, [%rd3];"}, Look{"ld.volatile.global.u32 %r9, [%rd3];"},
        Look{"xor.b32 %r6, %r1, 63; sub.u32 %r6, %r6, %r1; mul.wide.s32 %rd6, %r6, 4; add.s64 %rd6, %rd3, %rd6;\n"
             "ld.global.u32 %r9, [%rd6];"},  // in another order
        Look{"and.b32 %r6, %r1, 1; setp.eq.u32 %p2, %r6, 0; mov.u64 %rd6, %rd3; @%p2 mov.u64 %rd6, %rd4;\n"
             "ld.global.u32 %r9, [%rd6];",  // in two allocations
             0, 40},
        Look{"and.b64 %rd6, %rd3, -8; ld.global.v2.u32 {%r9, %r8}, [%rd6];"},
        Look{"st.global.u32 [%rd3], 7; red.global.add.u32 [%rd3], 1; ld.global.u32 %r9, [%rd3];", 8, 8},
        Look{"red.global.max.u32 [%rd3], 41; red.global.add.u32 [%rd3], 1; ld.global.u32 %r9, [%rd3];", 42, 42},
        // The carry out of a sum of 32 bits is lost, that out of the lower half of 64 bits is not.
        Look{"and.b32 %r6, %r1, 1; setp.eq.u32 %p2, %r6, 0; @%p2 red.global.add.u64 [%rd3], 0x2ffffffff; bar.sync 0;\n"
             "ld.global.u32 %r9, [%rd3];",
             39, 43},
        Look{"atom.global.add.u32 %r9, [%rd3], 0;"}, Look{"atom.global.cas.b32 %r9, [%rd3], 40, 3;"},
        Look{"mov.u64 %rd6, 5; tex.1d.v4.u32.s32 {%r9, %r6, %r7, %r8}, [%rd6, {%r2}];"},
        Look{"mov.u32 %r6, words; mad.lo.u32 %r6, %r1, 4, %r6; mov.u32 %r7, 2;\n"
             "cp.async.ca.shared.global [%r6], [%rd3], 4, %r7; cp.async.wait_all; ld.shared.u32 %r9, [%r6];"}));

/// Block 0 works until others are called, adds 32 times 5 to word 0, does `then`, and waits until word 32 is set. Block
/// 1 waits until `until` holds of %r7 and %r8, words 0 and 64. Then it says what word 0 is, and sets word 32. Additions
/// that one may rely on are seen, and a block that only waits sees them in the end.
void expect_to_be_seen(const std::string& then, const std::string& until) {
  const Ran ran = run_kernel(R"(
mov.u32 %r5, 0;
setp.ne.u32 %p1, %r3, 0;
@%p1 bra WAIT;
WORK: add.u32 %r5, %r5, 1;
setp.lt.u32 %p1, %r5, 30000;
@%p1 bra WORK;
red.global.add.u32 [%rd1], 5;
)" + then + R"(
mov.u32 %r5, 0;
STAY: ld.global.u32 %r6, [%rd1+128];
add.u32 %r5, %r5, 1;
setp.eq.u32 %p1, %r6, 0;
setp.lt.and.u32 %p1, %r5, 3000000, %p1;
@%p1 bra STAY;
st.global.u32 [%rd2+4], %r6;
bra DONE;
WAIT: ld.global.u32 %r8, [%rd1+256];
ld.global.u32 %r7, [%rd1];
add.u32 %r5, %r5, 1;
)" + until + R"(
setp.lt.and.u32 %p1, %r5, 100000000, %p1;
@%p1 bra WAIT;
ld.global.u32 %r7, [%rd1];
st.global.u32 [%rd2], %r7;
st.global.u32 [%rd1+128], 1;
DONE:)",
                             2, 3, 32);
  EXPECT_EQ(ran.data[0], 160u);
  EXPECT_EQ(ran.out[0], 160u);
  EXPECT_EQ(ran.out[1], 1u);
}

TEST(DeferredAtomics, ComeBeforeAFenceOfTheGrid) {
  expect_to_be_seen("membar.gl; st.global.u32 [%rd1+256], 1;", "setp.eq.u32 %p1, %r8, 0;");
}

TEST(DeferredAtomics, ComeBeforeARelease) {
  expect_to_be_seen("red.release.gpu.global.add.u32 [%rd1+256], 1;", "setp.eq.u32 %p1, %r8, 0;");
}

TEST(DeferredAtomics, AreSeenInTheEndByWhoWaitsWithoutOrder) { expect_to_be_seen("", "setp.eq.u32 %p1, %r7, 0;"); }

TEST(DeferredAtomics, AreRefusedWhereTheyAlwaysWere) {
  for (const char* address : {"add.s64 %rd6, %rd3, 2;", "add.s64 %rd6, %rd3, 4;"}) {
    const std::string body = std::string(address) + "setp.lt.u32 %p2, %r2, 3800; @%p2 mov.u64 %rd6, %rd3;\n" +
                             adds_to_own_word + "red.global.add.u32 [%rd6], 1;";
    const Ran alone = run_kernel(body, 1), all = run_kernel(body, 3);
    ASSERT_EQ(alone.outcome.findings.size(), 1u);
    ASSERT_EQ(all.outcome.findings.size(), 1u);
    EXPECT_EQ(all.outcome.findings[0].message, alone.outcome.findings[0].message);
    EXPECT_EQ(all.outcome.findings[0].block, alone.outcome.findings[0].block);
    EXPECT_EQ(all.outcome.cuda_error, alone.outcome.cuda_error);
  }
}

}  // namespace
}  // namespace cudasim
