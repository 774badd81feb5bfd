// SPDX-License-Identifier: MIT
// The benchmark's inputs on a device: what they hold, what is noticed when one is changed, and the pieces that
// references are made of.
#include "workbook/bench/bench_inputs.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>

namespace workbook {
namespace {

template <typename T>
std::vector<T> first_numbers(std::size_t count) {
  std::vector<T> numbers(count);
  std::iota(numbers.begin(), numbers.end(), T{1});
  return numbers;
}

template <typename T>
std::vector<T> copy_back(const T* device, std::size_t n) {
  std::vector<T> numbers(n);
  CUDA_CHECK(cudaMemcpy(numbers.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost));
  return numbers;
}

TEST(PeriodSize, IsOddAndHasAnEnd) {
  for (const std::size_t total : {std::size_t{1}, std::size_t{64}, std::size_t{1'000'000}, std::size_t{1} << 31}) {
    EXPECT_EQ(period_size(total) % 2, 1u) << total;
    EXPECT_LT(period_size(total), 5'000'000u) << total;
  }
  EXPECT_GT(period_size(1000), 1000u);
}

template <typename T>
void expect_rotated_numbers(std::size_t n, std::size_t buffers, std::size_t period) {
  const std::vector<T> numbers = first_numbers<T>(period);
  const BenchInputs<T> inputs(numbers, n, buffers);
  for (std::size_t turn = 0; turn < buffers; ++turn) {
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(inputs.input(turn)) % 256, 0u);
    const std::vector<T> got = copy_back(inputs.input(turn), n);
    std::vector<T> expected(n), pieces;
    for (std::size_t i = 0; i < n; ++i) expected[i] = numbers[(turn * inputs.stride(n) + i) % period];
    EXPECT_EQ(got, expected) << turn;
    inputs.visit_pieces(turn, [&pieces](const T* values, std::size_t count, std::size_t times) {
      for (std::size_t time = 0; time < times; ++time) pieces.insert(pieces.end(), values, values + count);
    });
    std::sort(pieces.begin(), pieces.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(pieces, expected) << turn;
  }
}

TEST(BenchInputs, AreCutFromOneSequence) {
  expect_rotated_numbers<float>(1, 3, 15);
  expect_rotated_numbers<float>(100, 4, 7);      // many periods
  expect_rotated_numbers<float>(63, 4, 300);     // less than one
  expect_rotated_numbers<float>(1024, 3, 1024);  // just one
  expect_rotated_numbers<double>(33, 5, 41);
  expect_rotated_numbers<int>(5000, 2, 777);
}

TEST(BenchInputs, AChangeIsSeenWhereItIsAndRestored) {
  BenchInputs<double> inputs(first_numbers<double>(19), 1000, 3);
  for (std::size_t turn = 0; turn < 3; ++turn) EXPECT_FALSE(inputs.is_changed(turn)) << turn;
  for (const std::size_t place : {std::size_t{0}, std::size_t{500}, std::size_t{999}}) {
    CUDA_CHECK(cudaMemset(inputs.input(1) + place, 0x55, 1));
    EXPECT_TRUE(inputs.is_changed(1)) << place;
    EXPECT_FALSE(inputs.is_changed(0) || inputs.is_changed(2)) << place;
    inputs.restore();
    EXPECT_FALSE(inputs.is_changed(1)) << place;
  }
}

}  // namespace
}  // namespace workbook
