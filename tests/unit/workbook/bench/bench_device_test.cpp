// SPDX-License-Identifier: MIT
// The benchmark's instruments on a device. Only a GPU's times say something; here they must have the right order.
#include "workbook/bench/bench_device.h"

#include <gtest/gtest.h>

#include <functional>

#include "workbook/case/device.h"

namespace workbook {
namespace {

constexpr std::size_t kL2 = std::size_t{1} << 20;

TEST(DeviceFacts, AreThoseOfADevice) {
  const DeviceFacts facts = device_facts();
  EXPECT_GT(facts.l2_bytes, 100'000u);
  EXPECT_GE(facts.compute_capability, 50);
  ASSERT_FALSE(facts.compiled_for.empty());
  for (const int capability : facts.compiled_for) EXPECT_TRUE(capability >= 50 && capability < 200) << capability;
}

TEST(DeviceInstruments, TimeWhatIsLaunched) {
  DeviceInstruments device(kL2);
  const Instruments instruments = device.instruments();
  DeviceArray<char> memory(std::size_t{1} << 26);
  const double nothing_us = instruments.time_us([] {});
  const double work_us = instruments.time_us([&memory] {
    for (int i = 0; i < 8; ++i) memory.fill(i);
  });
  EXPECT_GE(nothing_us, 0.0);
  EXPECT_GT(work_us, nothing_us);
  instruments.clean_cache();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  const double clock_mhz = instruments.clock_mhz();
  EXPECT_GT(clock_mhz, 0.0);
  EXPECT_TRUE(current_device().is_simulated || clock_mhz < 5000.0) << clock_mhz;
}

TEST(DeviceInstruments, DoNotCountWhatWasLaunchedBefore) {
  DeviceInstruments device(kL2);
  const Instruments instruments = device.instruments();
  DeviceArray<char> memory(std::size_t{1} << 28);
  memory.fill(1);
  const double fill_us = instruments.time_us([&memory] { memory.fill(2); });
  memory.fill(3);  // not waited for
  EXPECT_LT(instruments.time_us([] {}), fill_us);
}

TEST(CopySpeed, CountsReadAndWrittenBytes) {
  // A clock that gives every copy a millisecond.
  const Instruments instruments{[](const std::function<void()>& launches) {
                                  launches();
                                  return 1000.0;
                                },
                                [] {}, [] { return 0.0; }};
  const CopySpeed speed = copy_speed(instruments, 3'072'000);
  EXPECT_EQ(speed.bytes, 1'024'000u);
  EXPECT_DOUBLE_EQ(speed.gb_s, 2.048);
}

TEST(EmptyLaunch, IsOneOfMany) {
  // A clock that gives every sample 800 microseconds: 400 launches.
  int samples = 0;
  const Instruments instruments{[&samples](const std::function<void()>& launches) {
                                  launches();
                                  ++samples;
                                  return 800.0;
                                },
                                [] {}, [] { return 0.0; }};
  EXPECT_DOUBLE_EQ(empty_launch_us(instruments), 2.0);
  EXPECT_GE(samples, 5);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

}  // namespace
}  // namespace workbook
