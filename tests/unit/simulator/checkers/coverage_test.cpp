// SPDX-License-Identifier: MIT
// Which bytes count as loaded and as stored, by each way in which a kernel reaches memory.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "checkers/registry/checks.h"
#include "decode/module.h"
#include "machine/run.h"
#include "memory/memory.h"
#include "program/launch.h"
#include "ptx/parser.h"

namespace cudasim {
namespace {

/// What 32 threads have done to 256 bytes. %rd1 is their address, %rd2 that of the thread's element of 4 bytes.
Coverage of(const std::string& body, unsigned workers = 1) {
  const std::string text = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out) {
.reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
.shared .align 16 .b8 tile[512];
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd3, %r1, 4;
add.s64 %rd2, %rd1, %rd3;
setp.lt.u32 %p1, %r1, 3;
mov.u32 %r2, tile;
)" + body + "\nret;\n}";
  Memory memory(1 << 20);
  memory.watch_coverage();
  Module module(ptx::parse(text), memory);
  const auto* out = memory.allocate(256, Origin::cuda_malloc);
  Launch launch;
  launch.block.x = 32;
  launch.parameters.resize(8);
  std::memcpy(launch.parameters.data(), &out->address, 8);
  Schedule schedule;
  schedule.workers = workers;
  Checks checks;
  CheckSet wanted;
  wanted.turn_on("coverage");
  checks.add(wanted);
  EXPECT_FALSE(checks.needs_one_worker());
  run(module.program("k"), launch, memory, schedule, &checks);
  memory.release(out->address);
  const std::vector<Coverage> all = memory.coverage();
  EXPECT_EQ(all.size(), 1u);
  return all.at(0);
}

void expect(const std::string& body, std::uint64_t loaded, std::uint64_t stored) {
  SCOPED_TRACE(body);
  const Coverage found = of(body);
  EXPECT_EQ(found.bytes, 256u);
  EXPECT_EQ(found.loaded, loaded);
  EXPECT_EQ(found.stored, stored);
}

TEST(Coverage, CountsEachByteOnce) {
  expect("ld.global.u32 %r3, [%rd2];", 128, 0);
  expect("ld.global.u32 %r3, [%rd2]; ld.global.u32 %r4, [%rd2+4];", 132, 0);
  expect("st.global.u32 [%rd2], %r1;", 0, 128);
  expect("@%p1 ld.global.u32 %r3, [%rd2];", 12, 0);
  expect("ld.global.u8 %r3, [%rd2+1];", 32, 0);
  expect("ld.global.v2.u32 {%r3, %r4}, [%rd1];", 8, 0);
  expect("add.s64 %rd4, %rd2, %rd3; ld.global.v2.u32 {%r3, %r4}, [%rd4];", 256, 0);
  expect("st.shared.u32 [tile], %r1; ld.shared.u32 %r3, [tile];", 0, 0);
}

TEST(Coverage, AtomicsLoadAndStore) {
  expect("atom.global.add.u32 %r3, [%rd1], 1;", 4, 4);
  expect("red.global.add.u32 [%rd2], 1;", 128, 128);
}

TEST(Coverage, AsynchronousCopiesLoadAlsoWithoutAWait) {
  const std::string place = "mad.lo.u32 %r2, %r1, 4, %r2;";
  expect(place + "cp.async.ca.shared.global [%r2], [%rd2], 4; cp.async.wait_all;", 128, 0);
  expect(place + "cp.async.ca.shared.global [%r2], [%rd2], 4;", 128, 0);
  expect(place + "cp.async.ca.shared.global [%r2], [%rd2], 4, 2; cp.async.wait_all;", 64, 0);
}

}  // namespace
}  // namespace cudasim
