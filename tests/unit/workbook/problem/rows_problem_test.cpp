// SPDX-License-Identifier: MIT
// Rows: references and bounds, and what the verdict says of the mistakes that kernels make. The host plays the kernel,
// on a device's memory.
#include "workbook/problem/sums/rows/rows_problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "workbook/program/command_line.h"
#include "workbook/student/gpu_timer.h"

namespace workbook {
namespace {

enum class RowMistake { none, no_maximum, last_left_out };

// Softmax in float, one number after the other.
template <RowMistake kMistake>
void softmax_on_host(ConstMatrix input, Matrix output, unsigned, cudaStream_t) {
  std::vector<float> row(input.columns);
  for (std::size_t i = 0; i < input.rows; ++i) {
    CUDA_CHECK(
        cudaMemcpy(row.data(), input.data + i * input.pitch, row.size() * sizeof(float), cudaMemcpyDeviceToHost));
    const float max = kMistake == RowMistake::no_maximum ? 0.0f : *std::max_element(row.begin(), row.end());
    float sum = 0.0f;
    for (float& x : row) sum += x = std::exp(x - max);
    if (kMistake == RowMistake::last_left_out) sum -= row.back();
    for (float& x : row) x /= sum;
    CUDA_CHECK(
        cudaMemcpy(output.data + i * output.pitch, row.data(), row.size() * sizeof(float), cudaMemcpyHostToDevice));
  }
}

template <RowMistake kMistake>
Verdict judged(RowValues values, std::size_t rows, std::size_t columns) {
  const RowsProblem problem(&softmax_on_host<kMistake>);
  Settings settings = default_settings(Stage{}, problem);
  settings.sizes = {rows, columns};
  settings.options["values"] = static_cast<double>(values);
  settings.options["padding"] = 3.0;
  GpuTimer timer;
  return problem.make_case(settings)->call({settings.block}, timer).verdict;
}

TEST(RowsProblem, TakesTheRightSoftmaxOfAllValues) {
  for (std::size_t values = 0; values < row_values().size(); ++values) {
    EXPECT_EQ(judged<RowMistake::none>(static_cast<RowValues>(values), 5, 301).reason, "") << row_values()[values];
  }
}

TEST(RowsProblem, RefusesExponentialsWithoutAMaximum) {
  EXPECT_TRUE(judged<RowMistake::no_maximum>(RowValues::random, 3, 40).matches);
  EXPECT_FALSE(judged<RowMistake::no_maximum>(RowValues::peak, 3, 40).matches);
  EXPECT_FALSE(judged<RowMistake::no_maximum>(RowValues::rising, 3, 40).matches);
}

TEST(RowsProblem, SaysWhatARowAddsUpTo) {
  const std::string reason = judged<RowMistake::last_left_out>(RowValues::equal, 2, 5).reason;
  EXPECT_NE(reason.find("; the results of row 0 add up to 1.25, and should to 1"), std::string::npos) << reason;
}

TEST(RowsReference, RowsWithoutAValueAreNaN) {
  const float infinity = std::numeric_limits<float>::infinity();
  const RowReference reference =
      reference_rows(RowOperation::softmax, {-infinity, -infinity, infinity, 1.0f, -infinity, 2.0f}, 3, 2);
  for (const std::size_t i : {0u, 1u, 2u, 3u}) EXPECT_TRUE(std::isnan(reference.output[i])) << i;
  EXPECT_EQ(reference.output[4], 0.0f);
  EXPECT_EQ(reference.output[5], 1.0f);
}

TEST(RowsReference, RmsNormDividesByTheRootOfTheMean) {
  const RowReference reference = reference_rows(RowOperation::rms_norm, {3.0f, -3.0f, 0.0f, 0.0f}, 2, 2);
  EXPECT_NEAR(reference.output[0], 1.0f, 1e-6f);
  EXPECT_NEAR(reference.output[1], -1.0f, 1e-6f);
  EXPECT_EQ(reference.output[2], 0.0f);
  EXPECT_EQ(reference.bounds[2], 0.0f);
}

TEST(RowsReference, BoundsGrowWithTheDistanceFromTheMaximum) {
  const RowReference reference = reference_rows(RowOperation::softmax, {0.0f, -20.0f}, 1, 2);
  EXPECT_GT(reference.bounds[1] / reference.output[1], 2.0f * reference.bounds[0] / reference.output[0]);
  EXPECT_LT(reference.bounds[0], 1e-5f);
}

}  // namespace
}  // namespace workbook
