// SPDX-License-Identifier: MIT
// The stopwatch: it adds up, and says what is wrong when it is used in the wrong order. Needs a device.
#include "workbook/student/gpu_timer.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "workbook/student/cuda_check.h"

namespace workbook {
namespace {

std::string misuse_of(const std::function<void()>& use) {
  try {
    use();
  } catch (const TimerMisuse& error) {
    return error.what();
  }
  return "(no misuse)";
}

TEST(GpuTimer, CountsAndAddsUpIntervals) {
  GpuTimer timer;
  EXPECT_EQ(timer.interval_count(), 0u);
  for (int i = 0; i < 3; ++i) {
    timer.start();
    EXPECT_TRUE(timer.is_running());
    timer.stop();
    EXPECT_FALSE(timer.is_running());
  }
  EXPECT_EQ(timer.interval_count(), 3u);
  EXPECT_GE(timer.elapsed_ms(), 0.0f);
  EXPECT_LT(timer.elapsed_ms(), 1000.0f);
}

TEST(GpuTimer, MeasuresWorkOnTheDevice) {
  constexpr std::size_t kBytes = std::size_t{1} << 26;
  void* memory = nullptr;
  CUDA_CHECK(cudaMalloc(&memory, kBytes));
  GpuTimer nothing, work;
  nothing.start();
  nothing.stop();
  work.start();
  for (int i = 0; i < 8; ++i) CUDA_CHECK(cudaMemset(memory, i, kBytes));
  work.stop();
  EXPECT_GT(work.elapsed_ms(), nothing.elapsed_ms());
  CUDA_CHECK(cudaFree(memory));
}

TEST(GpuTimer, MisuseIsAClearErrorWhenItIsRead) {
  const auto misuse = [](const std::function<void(GpuTimer&)>& use) {
    return misuse_of([&use] {
      GpuTimer timer;
      use(timer);  // to its end: what it has allocated is freed behind it
      EXPECT_TRUE(timer.was_used());
      timer.elapsed_ms();
    });
  };
  EXPECT_EQ(misuse([](GpuTimer& timer) { timer.stop(); }), "timer.stop() was called without timer.start() before it");
  EXPECT_EQ(misuse_of([] { GpuTimer().elapsed_ms(); }),
            "no kernel was timed: timer.start() and timer.stop() were never called");
  EXPECT_EQ(misuse([](GpuTimer& timer) {
              timer.start();
              timer.start();
              timer.stop();
            }),
            "timer.start() was called twice without timer.stop() in between");
  EXPECT_EQ(misuse([](GpuTimer& timer) { timer.start(); }), "timer.start() was called, but timer.stop() was not");
  EXPECT_EQ(misuse([](GpuTimer& timer) {
              timer.start();
              timer.stop();
              timer.stop();
            }),
            "timer.stop() was called without timer.start() before it");
}

TEST(GpuTimer, AnUnfinishedIntervalIsNotCounted) {
  GpuTimer timer;
  timer.start();
  EXPECT_EQ(timer.interval_count(), 0u);
  timer.stop();
  timer.start();
  EXPECT_EQ(timer.interval_count(), 1u);
}

}  // namespace
}  // namespace workbook
