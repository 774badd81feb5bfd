// SPDX-License-Identifier: MIT
// A host without memory, in whatever thread: the launch says so, and the program goes on. For this the whole test
// program has an operator new that can refuse.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <thread>

#include "decode/module.h"
#include "machine/run.h"
#include "memory/memory.h"
#include "program/launch.h"
#include "program/program.h"
#include "ptx/parser.h"

namespace {

std::atomic<bool> starving{false};
std::thread::id fed;

/// While it lives, no thread but its own gets memory.
struct OthersStarve {
  OthersStarve() {
    fed = std::this_thread::get_id();
    starving = true;
  }
  ~OthersStarve() { starving = false; }
};

}  // namespace

// Not inlined: g++ sees free() otherwise, and takes the pointer for one of another operator new.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  if (starving && std::this_thread::get_id() != fed) throw std::bad_alloc();
  void* memory = std::malloc(bytes != 0 ? bytes : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace cudasim {
namespace {

/// Each thread looks at its own word ten thousand times: a block of 1024 threads takes more than a million steps.
const char* const kernel = R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 out) {
.reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd2, %rd1, %rd2;
mov.u32 %r2, 0;
LOOP:
ld.global.u32 %r3, [%rd2];
add.u32 %r2, %r2, 1;
setp.lt.u32 %p1, %r2, 10000;
@%p1 bra LOOP;
ret;
})";

struct Machine {
  Memory memory{1 << 20};
  Module module{ptx::parse(kernel), memory};
  Launch launch;
  Schedule schedule;
  Machine() {
    const auto* out = memory.allocate(4096, Origin::cuda_malloc);
    launch.grid.x = 64;
    launch.block.x = 64;
    launch.parameters.resize(sizeof out->address);
    std::memcpy(launch.parameters.data(), &out->address, sizeof out->address);
  }
  Outcome run() { return cudasim::run(module.program("k"), launch, memory, schedule); }
};

bool is_out_of_memory(const std::exception_ptr& failure) {
  if (!failure) return false;
  try {
    std::rethrow_exception(failure);
  } catch (const std::bad_alloc&) {
    return true;
  }
}

TEST(OutOfMemory, AWorkerThatGetsNoneEndsTheLaunch) {
  Machine machine;
  machine.schedule.workers = 4;
  machine.run();  // the kernel is decoded
  std::exception_ptr failure;
  try {
    const OthersStarve starve;
    failure = machine.run().failure;
  } catch (...) {  // before a block began
    failure = std::current_exception();
  }
  EXPECT_TRUE(is_out_of_memory(failure));
  EXPECT_FALSE(machine.run().failure) << "the next launch has memory again";
}

TEST(OutOfMemory, WhatStoppedAKernelMidwayComesWithWhatItHasDone) {
  Machine machine;
  machine.launch.grid.x = 1;
  machine.module.program("k");
  machine.schedule.patience_seconds = 0;
  machine.schedule.still_running = [](const Finding&) { throw std::bad_alloc(); };
  machine.launch.block.x = 1024;
  const Outcome outcome = machine.run();
  EXPECT_TRUE(is_out_of_memory(outcome.failure));
  EXPECT_GT(outcome.counters.warp_instructions, 1000u);
}

}  // namespace
}  // namespace cudasim
