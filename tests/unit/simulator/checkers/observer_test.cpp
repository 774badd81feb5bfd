// SPDX-License-Identifier: MIT
// What an observer learns of accesses, what it reports, and how many workers have watchers.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "checkers/registry/checks.h"
#include "decode/module.h"
#include "machine/run.h"
#include "memory/memory.h"
#include "messages/describe_address.h"
#include "program/launch.h"
#include "ptx/parser.h"
#include "state/grid.h"
#include "state/watcher.h"

namespace cudasim {
namespace {

struct Recorded {
  AccessSeen access;
  std::uint32_t before = 0, after = 0;  // the word of the last lane
};

class Recorder : public Observer {
 public:
  std::vector<Recorded> all;
  unsigned launches = 0;
  void begin_launch(Grid&) override { ++launches; }
  void before(const AccessSeen& access) override { all.push_back({access, word(access), 0}); }
  void after(const AccessSeen& access) override { all.back().after = word(access); }

 private:
  static std::uint32_t word(const AccessSeen& access) {
    std::uint32_t value = 0;
    const std::byte* const from = access.memory[31 - __builtin_clz(access.lanes)];
    if (from != nullptr) std::memcpy(&value, from, sizeof value);
    return value;
  }
};

TEST(Observer, IsToldOfAccessesInOneOrder) {
  const std::string text = R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 out) {
.reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
.shared .align 4 .b8 sums[64];
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
mad.lo.u32 %r3, %r1, 3, 7;
mul.wide.u32 %rd2, %r1, 8;
add.s64 %rd2, %rd1, %rd2;
st.global.u32 [%rd2+4], %r3;
mov.u32 %r2, 5;
st.shared.u32 [sums+8], %r2;
setp.lt.u32 %p1, %r1, 3;
@%p1 red.shared.add.u32 [sums+8], %r2;
ret;
})";
  Memory memory(1 << 20);
  Module module(ptx::parse(text), memory);
  const auto* out = memory.allocate(256, Origin::cuda_malloc);
  std::memset(out->host, 0, 256);
  Launch launch;
  launch.grid.x = 2;
  launch.block.x = 32;
  launch.parameters.resize(8);
  std::memcpy(launch.parameters.data(), &out->address, 8);
  Schedule schedule;
  schedule.workers = 4;
  Checks checks;
  auto owned = std::make_unique<Recorder>();
  const Recorder& seen = *owned;
  checks.observers.push_back(std::move(owned));
  run(module.program("k"), launch, memory, schedule, &checks);

  EXPECT_EQ(seen.launches, 1u);
  ASSERT_EQ(seen.all.size(), 6u);
  for (std::size_t block = 0; block < 2; ++block) {
    const Recorded* const r = &seen.all[3 * block];
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(r[i].access.block, block);
    EXPECT_EQ(r[0].access.space, ptx::Space::global);
    EXPECT_EQ(r[0].access.address[5], out->address + 44);
    EXPECT_EQ(r[0].before, block == 0 ? 0u : 100u);  // the second block stores the same once more
    EXPECT_EQ(r[0].after, 100u);
    EXPECT_EQ(r[1].access.address[31], 8u);
    EXPECT_TRUE(r[1].access.is_store && !r[1].access.is_atomic);
    EXPECT_EQ(r[2].access.lanes, 7u);
    EXPECT_TRUE(r[2].access.is_store && r[2].access.is_atomic);
    EXPECT_EQ(r[2].before, 5u);
    EXPECT_EQ(r[2].after, 20u);
    EXPECT_LT(r[0].access.instruction, r[1].access.instruction);
  }
}

/// Reports each store to global memory.
class Reporter : public Observer {
 public:
  void begin_launch(Grid& grid) override { grid_ = &grid; }
  void before(const AccessSeen& access) override {
    if (!access.is_store || access.space != ptx::Space::global) return;
    add_defect(*grid_, access.block, finding_of(*grid_, access, 3, FindingKind::race));
  }

 private:
  Grid* grid_ = nullptr;
};

/// Which thread of the host runs a block.
class Whereabouts : public Observer {
 public:
  explicit Whereabouts(std::uint64_t block) : Observer(block) {}
  std::set<std::thread::id> threads;
  void before(const AccessSeen&) override { threads.insert(std::this_thread::get_id()); }
};

const char* const stores = R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 out) {
.reg .b32 %r<9>; .reg .b64 %rd<9>;
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd2, %rd1, %rd2;
st.global.u32 [%rd2], %r1;
ret;
})";

/// 64 blocks of 256 threads, and all blocks store the same.
Outcome run_stores(Checks& checks) {
  Memory memory(1 << 20);
  Module module(ptx::parse(stores), memory);
  const auto* out = memory.allocate(1024, Origin::cuda_malloc);
  Launch launch;
  launch.grid.x = 64;
  launch.block.x = 256;
  launch.parameters.resize(8);
  std::memcpy(launch.parameters.data(), &out->address, 8);
  Schedule schedule;
  schedule.workers = 4;
  return run(module.program("k"), launch, memory, schedule, &checks);
}

TEST(Observer, ASmallLaunchStartsNoThread) {
  Checks checks;
  std::vector<std::shared_ptr<Whereabouts>> blocks;
  for (std::uint64_t block = 0; block < 64; ++block) {
    blocks.push_back(std::make_shared<Whereabouts>(block));
    checks.observers.push_back(blocks.back());
  }
  run_stores(checks);
  for (const auto& block : blocks) EXPECT_EQ(block->threads, std::set{std::this_thread::get_id()});
}

TEST(Observer, ReportsWhatALaneDoes) {
  Checks checks;
  checks.observers.push_back(std::make_shared<Reporter>());
  const Outcome outcome = run_stores(checks);
  ASSERT_EQ(outcome.findings.size(), 1u);
  const Finding& finding = outcome.findings.front();
  EXPECT_EQ(finding.severity, Severity::defect);
  EXPECT_EQ(finding.message, words_of(FindingKind::race).message);
  EXPECT_EQ(finding.thread[0], 3u);
  EXPECT_TRUE(finding.is_store);
  EXPECT_EQ(finding.allocation, "element 3 of the 256 elements of 4 bytes (1024 bytes) of allocation 1 (cudaMalloc)");
  EXPECT_EQ(finding.occurrences, 64u * 8);  // warps
  EXPECT_EQ(outcome.cuda_error, 0);
}

TEST(Checks, OneWorkerHasOneWatcher) {
  Checks checks;
  unsigned made = 0;
  checks.watchers.emplace_back([&](Grid&) {
    ++made;
    return std::make_shared<Watcher>();
  });
  checks.wants_one_worker = true;
  run_stores(checks);
  EXPECT_EQ(made, 1u);
}

TEST(Checks, ThoseThatAreOnAreAdded) {
  Checks none;
  none.add(CheckSet{});
  EXPECT_TRUE(none.is_empty());
  CheckSet wanted;
  EXPECT_TRUE(wanted.turn_on("all"));
  Checks all;
  all.add(wanted);
  EXPECT_TRUE(all.race && all.init);
  EXPECT_FALSE(all.needs_one_worker());
}

}  // namespace
}  // namespace cudasim
