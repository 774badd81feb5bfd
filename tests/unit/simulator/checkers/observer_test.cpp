// SPDX-License-Identifier: MIT
// What an observer learns of accesses: which, where, and what lies there before and after.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "checkers/checks.h"
#include "decode/module.h"
#include "machine/run.h"
#include "memory/memory.h"
#include "program/launch.h"
#include "ptx/parser.h"

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
  void begin_launch(const Program&, const Launch&) override { ++launches; }
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

/// Which thread of the host runs a block.
class Whereabouts : public Observer {
 public:
  explicit Whereabouts(std::uint64_t block) : Observer(block) {}
  std::set<std::thread::id> threads;
  void before(const AccessSeen&) override { threads.insert(std::this_thread::get_id()); }
};

TEST(Observer, ASmallLaunchStartsNoThread) {
  const std::string text = R"(.version 8.0
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
  Memory memory(1 << 20);
  Module module(ptx::parse(text), memory);
  const auto* out = memory.allocate(1024, Origin::cuda_malloc);
  Launch launch;
  launch.grid.x = 64;
  launch.block.x = 256;
  launch.parameters.resize(8);
  std::memcpy(launch.parameters.data(), &out->address, 8);
  Schedule schedule;
  schedule.workers = 4;
  Checks checks;
  std::vector<std::shared_ptr<Whereabouts>> blocks;
  for (std::uint64_t block = 0; block < launch.grid.x; ++block) {
    blocks.push_back(std::make_shared<Whereabouts>(block));
    checks.observers.push_back(blocks.back());
  }
  run(module.program("k"), launch, memory, schedule, &checks);
  for (const auto& block : blocks) EXPECT_EQ(block->threads, std::set{std::this_thread::get_id()});
}

}  // namespace
}  // namespace cudasim
