// SPDX-License-Identifier: MIT
// What stage 38 promises beyond its sums. Infinities and NaN give what they give in float. The largest and the smallest
// floats lose nothing. What a line's largest number drowns is computed in float.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "workbook/case/device_memory.h"
#include "workbook/student/matmul_split.h"

namespace workbook {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kLargest = std::numeric_limits<float>::max();
constexpr std::size_t kExtent = 20;

// The product of two matrices of 20 x 20.
std::vector<float> multiplied(const std::vector<float>& left, const std::vector<float>& right) {
  DeviceArray<float> a_data(left.size()), b_data(right.size()), c_data(left.size());
  const DeviceArray<unsigned char> workspace(split_workspace_bytes(kExtent, kExtent, kExtent));
  CUDA_CHECK(cudaMemcpy(a_data.data(), left.data(), a_data.size_bytes(), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(b_data.data(), right.data(), b_data.size_bytes(), cudaMemcpyHostToDevice));
  multiply_on_device({a_data.data(), kExtent, kExtent, kExtent}, {b_data.data(), kExtent, kExtent, kExtent},
                     {c_data.data(), kExtent, kExtent, kExtent}, workspace.data(), dim3(128), nullptr);
  return read_back(c_data.data(), c_data.size(), nullptr);
}

// A number of a product of 20 x 20 matrices. All their numbers are `rest`, except that A's row 3 begins with `a`, and
// B's column 5 with `b`.
float element(float a, float b, std::size_t i, std::size_t j, float rest = 1.0f) {
  std::vector<float> left(kExtent * kExtent, rest), right = left;
  left[3 * kExtent] = a;
  right[5] = b;
  return multiplied(left, right)[i * kExtent + j];
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

TEST(Specials, TheSmallestFloatsCount) {
  EXPECT_EQ(element(0x1p-149f, 0x1p127f, 3, 5, 0.0f), 0x1p-22f);
  EXPECT_EQ(element(0x1p-149f, 1.0f, 3, 5, 0.0f), 0x1p-149f);
  EXPECT_EQ(element(0x1.2345p-120f, 0x1p120f, 3, 5, 0.0f), 0x1.2345p0f);
  EXPECT_EQ(element(0x1p-100f, 0x1p-60f, 3, 5, 0.0f), 0.0f);
}

// Row 3 of A has 2^40 where B has zeros, and everywhere else numbers that are far too small to be split beside it.
TEST(Specials, WhatTheLargestNumberDrownsIsComputedInFloat) {
  std::vector<float> left(kExtent * kExtent, 0x1.234568p-10f), right(kExtent * kExtent, 1.0f);
  left[3 * kExtent] = 0x1p40f;
  for (std::size_t j = 0; j < kExtent; ++j) right[j] = 0.0f;
  const std::vector<float> product = multiplied(left, right);
  EXPECT_NEAR(product[3 * kExtent + 7], 19 * 0x1.234568p-10f, 0x1p-26f);
  EXPECT_NEAR(product[4 * kExtent + 7], 19 * 0x1.234568p-10f, 0x1p-26f);
}

}  // namespace
}  // namespace workbook
