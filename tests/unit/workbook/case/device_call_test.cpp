// SPDX-License-Identifier: MIT
// What a call does beside its result must be found: a store before, between or behind its rows, a changed input. The
// host plays the kernel. Needs a device; with guards, which only a GPU needs, and without.
#include "workbook/case/device_call.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "workbook/case/device.h"
#include "workbook/judge/compare.h"

namespace workbook {
namespace {

constexpr Layout kLine{1, 10, 10, 0};
constexpr Layout kGaps{3, 5, 8, 1};  // rows of 5, a gap of 3, and a first element that is not aligned

void store(const std::uint32_t* place, std::uint32_t word = 7) {
  CUDA_CHECK(cudaMemcpy(const_cast<std::uint32_t*>(place), &word, sizeof word, cudaMemcpyHostToDevice));
}

std::vector<std::uint32_t> numbers(std::size_t n) {
  std::vector<std::uint32_t> values(n);
  std::iota(values.begin(), values.end(), 100u);
  return values;
}

const std::vector<Call> kGuarded{{{32}, 0xFF, true}, {{32}, 0xA5, true}, {{32}, 0x00, true}};

// Also without guards, which is for a simulator: what it hands out holds 0xFF.
std::vector<Call> all_calls() {
  std::vector<Call> calls = kGuarded;
  calls.push_back({{32}, 0xA5, false});
  if (current_device().is_simulated) calls.push_back({{32}, 0xFF, false});
  return calls;
}

// What is found after the host's `stores` into an output.
template <typename Stores>
std::string mistake_after(const Call& call, const Layout& layout, Stores stores) {
  GpuTimer timer;
  DeviceCall steps(call, timer);
  auto* const output = steps.output<std::uint32_t>("the output", layout);
  steps.launch([&] { stores(output); });
  return steps.mistake();
}

TEST(Output, HoldsThePoisonThatNobodyOverwrote) {
  for (const Call& call : all_calls()) {
    for (const Layout& layout : {kLine, kGaps}) {
      GpuTimer timer;
      DeviceCall steps(call, timer);
      auto* const output = steps.output<std::uint32_t>("the output", layout);
      steps.launch([&] { store(output + layout.pitch * (layout.rows - 1) + 3); });
      EXPECT_EQ(timer.interval_count(), 1u);
      std::vector<std::uint32_t> expected(layout.rows * layout.columns, 0x01010101u * call.poison);
      expected[(layout.rows - 1) * layout.columns + 3] = 7;
      EXPECT_EQ(steps.copy_back(output), expected);
      EXPECT_EQ(steps.mistake(), "");
    }
  }
}

// A result that is what memory held by chance: only with the other poison is it found that nobody wrote it.
TEST(Output, ARightResultByChanceIsFoundByTheOtherPoison) {
  const std::vector<std::uint32_t> expected(10, 0xFFFFFFFF);
  const auto verdict = [&expected](unsigned char poison) {
    GpuTimer timer;
    DeviceCall steps({{32}, poison, true}, timer);
    const auto* const output = steps.output<std::uint32_t>("the output", kLine);
    const std::vector<std::uint32_t> got = steps.copy_back(output);
    Explanations explanations;
    explanations.poison = 0x01010101u * poison;
    return compare_words({got.data(), 1, 10}, {expected.data(), 1, 10}, explanations);
  };
  EXPECT_TRUE(verdict(0xFF).matches);
  EXPECT_EQ(verdict(0xA5).pattern, "nobody wrote any element of the output");
}

TEST(Output, AStoreBetweenTwoRowsIsFound) {
  for (const Call& call : all_calls()) {
    EXPECT_EQ(mistake_after(call, kGaps, [](auto* output) { store(output + 5); }),
              "a store between two rows of the output, behind row 0: 1 element behind its last (a row has 5 elements, "
              "and the next begins after 8)");
    EXPECT_EQ(mistake_after(call, kGaps, [](auto* output) { store(output + 8 + 7); }),
              "a store between two rows of the output, behind row 1: 3 elements behind its last (a row has 5 elements, "
              "and the next begins after 8)");
    EXPECT_EQ(mistake_after(call, kGaps, [](auto* output) { store(output + 16 + 4); }), "") << "its last element";
  }
}

TEST(Output, AStoreBeforeOrBehindIsFoundByGuards) {
  for (const Call& call : kGuarded) {
    for (const Layout& layout : {kLine, kGaps}) {
      const std::size_t size = layout.rows * layout.pitch;
      EXPECT_EQ(mistake_after(call, layout, [](auto* output) { store(output - 1); }),
                "a store before the beginning of the output: 1 element before its first");
      EXPECT_EQ(mistake_after(call, layout, [](auto* output) { store(output - 1000); }),
                "a store before the beginning of the output: 1000 elements before its first");
      EXPECT_EQ(mistake_after(call, layout, [size](auto* output) { store(output + size); }),
                "a store behind the end of the output: 1 element behind its last");
      EXPECT_EQ(mistake_after(call, layout, [size](auto* output) { store(output + size + 999); }),
                "a store behind the end of the output: 1000 elements behind its last");
    }
  }
}

// Misaligned data have something before them that is nobody's, with guards and without.
TEST(Output, AStoreBeforeMisalignedDataIsFoundWithoutGuards) {
  EXPECT_EQ(mistake_after({{32}, 0xFF, false}, kGaps, [](auto* output) { store(output - 1); }),
            "a store before the beginning of the output: 1 element before its first");
}

// What a launch has left is gone before the next one; between the rows of an update, a store is found as in an output.
TEST(Update, IsInputAndOutput) {
  for (const Call& call : all_calls()) {
    std::vector<std::uint32_t> values = numbers(kGaps.rows * kGaps.pitch), rows;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i % kGaps.pitch >= kGaps.columns) values[i] = 0xFFFFFFFF;
      if (i % kGaps.pitch < kGaps.columns) rows.push_back(values[i]);
    }
    GpuTimer timer;
    DeviceCall steps(call, timer);
    auto* const update = steps.update("C", values, kGaps);
    auto* const output = steps.output<std::uint32_t>("the output", kLine);
    EXPECT_EQ(steps.copy_back(update), rows);
    store(update);
    store(output);
    EXPECT_NE(steps.copy_back(update), rows);
    EXPECT_EQ(steps.mistake(), "");
    store(update + 5);
    EXPECT_EQ(steps.mistake().rfind("a store between two rows of C, behind row 0", 0), 0u);
    steps.renew(update);
    steps.renew(output);
    EXPECT_EQ(steps.copy_back(update), rows);
    EXPECT_EQ(steps.copy_back(output), std::vector<std::uint32_t>(10, 0x01010101u * call.poison));
    EXPECT_EQ(steps.mistake(), "");
  }
}

TEST(Input, IsWhereTheLayoutSays) {
  for (const Call& call : all_calls()) {
    for (const Layout& layout : {kLine, kGaps}) {
      const std::vector<std::uint32_t> values = numbers(layout.rows * layout.pitch);
      GpuTimer timer;
      DeviceCall steps(call, timer);
      const auto* const input = steps.input("the input", values, layout);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(input) % 256, layout.misalign * sizeof(std::uint32_t));
      std::vector<std::uint32_t> got(values.size());
      CUDA_CHECK(cudaMemcpy(got.data(), input, got.size() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost));
      EXPECT_EQ(got, values);
      EXPECT_EQ(steps.mistake(), "");
    }
  }
}

TEST(Input, MustNotChangeUnlessItMay) {
  const std::vector<std::uint32_t> values = numbers(24);
  for (const Call& call : all_calls()) {
    GpuTimer timer;
    DeviceCall steps(call, timer);
    const auto* const free = steps.input("the numbers", values, kGaps, true);
    const auto* const input = steps.input("the input", values, kGaps);
    store(free + 3);
    store(input + 17, values[17]);
    EXPECT_EQ(steps.mistake(), "");
    store(input + 17);
    EXPECT_EQ(steps.mistake(), "the input must not change, and its row 2, column 1 has");
    const auto* const other = steps.input("the line", values, line(24));
    store(input + 17, values[17]);
    store(other + 23);
    EXPECT_EQ(steps.mistake(), "the line must not change, and its element 23 has");
  }
}

TEST(Scratch, IsPoisonedAndNobodysBusiness) {
  for (const Call& call : all_calls()) {
    GpuTimer timer;
    DeviceCall steps(call, timer);
    auto* const scratch = steps.scratch<std::uint32_t>("the scratch", 6);
    EXPECT_EQ(read_back(scratch + 5), 0x01010101u * call.poison);
    store(scratch);
    EXPECT_EQ(steps.mistake(), "");
  }
}

TEST(Guards, AreAroundInputsAndScratch) {
  const std::vector<std::uint32_t> values = numbers(24);
  for (const Call& call : kGuarded) {
    GpuTimer timer;
    DeviceCall steps(call, timer);
    const auto* const input = steps.input("the input", values, kGaps, true);
    const auto* const scratch = steps.scratch<std::uint32_t>("the scratch", 6);
    EXPECT_EQ(steps.mistake(), "");
    store(scratch + 6);
    EXPECT_EQ(steps.mistake(), "a store behind the end of the scratch: 1 element behind its last");
    store(input - 2);
    EXPECT_EQ(steps.mistake(), "a store before the beginning of the input: 2 elements before its first");
  }
}

// A matrix without rows or columns has no memory, and nothing to look at; one of gaps has.
TEST(Layouts, MayBeEmpty) {
  for (const Call& call : all_calls()) {
    for (const Layout& layout : {Layout{0, 5, 8, 3}, Layout{5, 0, 0, 3}, Layout{1, 0, 0, 0}, Layout{4, 0, 3, 1}}) {
      const std::vector<std::uint32_t> values = numbers(layout.rows * layout.pitch);
      GpuTimer timer;
      DeviceCall steps(call, timer);
      const auto* const input = steps.input("the input", values, layout);
      const auto* const output = steps.output<std::uint32_t>("the output", layout);
      EXPECT_EQ(input == nullptr, values.empty());
      EXPECT_EQ(output == nullptr, values.empty());
      EXPECT_TRUE(steps.copy_back(output).empty());
      EXPECT_EQ(steps.mistake(), "");
    }
  }
}

TEST(Places, AreThoseOfInputsAndOutputs) {
  for (Call call : all_calls()) {
    std::vector<ArrayPlace> places;
    call.places = &places;
    GpuTimer timer;
    DeviceCall steps(call, timer);
    const std::vector<std::uint32_t> values = numbers(24);
    const auto* const input = steps.input("the input", values, kGaps);
    const auto* const output = steps.output<std::uint32_t>("the output", line(7, 1));
    steps.scratch<std::uint32_t>("the workspace", 5);
    const auto* const update = steps.update("the update", values, kGaps);
    steps.needs(output, 4);
    const std::size_t of_rows = 3 * 5 * sizeof(std::uint32_t), of_line = 7 * sizeof(std::uint32_t);
    ASSERT_EQ(places.size(), 4u);
    const void* const addresses[] = {input, output, update, update};
    const std::size_t bytes[] = {of_rows, of_line, of_rows, of_rows}, needed[] = {of_rows, 4, of_rows, of_rows};
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(places[i].address, addresses[i]);
      EXPECT_EQ(places[i].bytes, bytes[i]);
      EXPECT_EQ(places[i].needed, needed[i]);
      EXPECT_EQ(places[i].is_output, i % 2 == 1);
    }
  }
}

// All that lies around the call, guards and gaps too, is in the stream. On a simulated device some order of streams
// would show what is not.
TEST(OwnStream, DoesNotWaitForTheDefaultStream) {
  for (Call call : all_calls()) {
    EXPECT_EQ(DeviceCall(call, *std::make_unique<GpuTimer>()).stream(), nullptr);
    call.has_own_stream = true;
    GpuTimer timer;
    DeviceCall steps(call, timer);
    unsigned flags = 0;
    CUDA_CHECK(cudaStreamGetFlags(steps.stream(), &flags));
    EXPECT_EQ(flags, unsigned{cudaStreamNonBlocking});
    const std::vector<std::uint32_t> values = numbers(24);
    const auto* const input = steps.input("the input", values, kGaps);
    auto* const output = steps.output<std::uint32_t>("the output", kGaps);
    const std::size_t row_bytes = 5 * sizeof(std::uint32_t), pitch_bytes = 8 * sizeof(std::uint32_t);
    steps.launch([&] {
      CUDA_CHECK(cudaMemcpy2DAsync(output, pitch_bytes, input, pitch_bytes, row_bytes, 3, cudaMemcpyDeviceToDevice,
                                   steps.stream()));
    });
    const std::vector<std::uint32_t> got = steps.copy_back(output);
    ASSERT_EQ(got.size(), 15u);
    EXPECT_EQ(got[7], values[8 + 2]);
    EXPECT_EQ(read_back(output + 1, steps.stream()), values[1]);
    EXPECT_EQ(steps.mistake(), "");
  }
}

TEST(CopyBack, IsForOutputs) {
  GpuTimer timer;
  DeviceCall steps(kGuarded[0], timer);
  const auto* const output = steps.output<std::uint32_t>("the output", kLine);
  EXPECT_THROW(steps.copy_back(output + 1), std::logic_error);
}

// The library was compiled by itself: its paths too begin at the project, and at nobody's home directory.
TEST(DeviceCall, PathsInMessagesAreShort) {
  GpuTimer timer;
  DeviceCall steps(kGuarded.front(), timer);
  steps.copy_back(steps.output<std::uint32_t>("the output", kLine));
  const std::string file = last_call().file;
  EXPECT_NE(file.find("common/workbook/case/device_call.cpp"), std::string::npos) << file;
  EXPECT_NE(file.front(), '/') << file;
}

}  // namespace
}  // namespace workbook
