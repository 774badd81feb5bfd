// SPDX-License-Identifier: MIT
// What stage 38 promises beyond its sums: infinities, numbers that are none, and the largest floats give what they give
// in float; the smallest do to 2^-134.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "workbook/device_memory.h"
#include "workbook/matmul.h"

namespace workbook {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kLargest = std::numeric_limits<float>::max();
constexpr std::size_t kExtent = 20;

// A number of a product of 20 x 20 matrices of which all numbers are `rest`, but that A's row 3 begins with `a`, and
// B's column 5 with `b`.
float element(float a, float b, std::size_t i, std::size_t j, float rest = 1.0f) {
  std::vector<float> left(kExtent * kExtent, rest), right = left;
  left[3 * kExtent] = a;
  right[5] = b;
  DeviceArray<float> a_data(left.size()), b_data(right.size()), c_data(left.size());
  CUDA_CHECK(cudaMemcpy(a_data.data(), left.data(), a_data.size_bytes(), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(b_data.data(), right.data(), b_data.size_bytes(), cudaMemcpyHostToDevice));
  multiply_on_device({a_data.data(), kExtent, kExtent, kExtent}, {b_data.data(), kExtent, kExtent, kExtent},
                     {c_data.data(), kExtent, kExtent, kExtent}, dim3(128), nullptr);
  return read_back(c_data.data(), c_data.size(), nullptr)[i * kExtent + j];
}

TEST(Specials, InfinityTimesAFiniteNumberIsInfinity) {
  EXPECT_EQ(element(kInfinity, 1.0f, 3, 5), kInfinity);
  EXPECT_EQ(element(kInfinity, 1.0f, 3, 6), kInfinity);
  EXPECT_EQ(element(-kInfinity, 2.5f, 3, 5), -kInfinity);
  EXPECT_EQ(element(2.0f, -kInfinity, 3, 5), -kInfinity);
  EXPECT_EQ(element(2.0f, -kInfinity, 0, 5), -kInfinity);
}

TEST(Specials, WhatIsNoNumberInFloatIsNone) {
  EXPECT_TRUE(std::isnan(element(kInfinity, 0.0f, 3, 5)));
  EXPECT_TRUE(std::isnan(element(kNan, 1.0f, 3, 5)));
  EXPECT_TRUE(std::isnan(element(1.0f, kNan, 3, 5)));
}

TEST(Specials, OtherElementsStayWhatTheyAre) { EXPECT_EQ(element(kInfinity, kNan, 2, 6), 20.0f); }

TEST(Specials, TheLargestFloatIsNotInfinite) {
  EXPECT_EQ(element(kLargest, 1.0f, 3, 7), kLargest);
  EXPECT_EQ(element(kLargest, 0.5f, 3, 5), kLargest / 2);
  EXPECT_EQ(element(kLargest, 4.0f, 3, 5), kInfinity);
}

// A part is never smaller than 2^-133, the smallest number of bf16; half of that may be lost.
TEST(Specials, SmallNumbersCountDownTo133) {
  EXPECT_EQ(element(0x1p-133f, 0x1p127f, 3, 5, 0.0f), 0x1p-6f);
  EXPECT_NEAR(element(0x1.234566p-120f, 0x1p120f, 3, 5, 0.0f), 0x1.234566p0f, 0x1p-134 * 0x1p120);
}

}  // namespace
}  // namespace workbook
