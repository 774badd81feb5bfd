// SPDX-License-Identifier: MIT
// Copy and transpose: what is expected, and what the verdict says of the mistakes that kernels make. The host plays the
// kernel, on a device's memory.
#include "workbook/problem/products/matrix/matrix_problem.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "workbook/case/run.h"
#include "workbook/program/command_line.h"

namespace workbook {
namespace {

// Stores value(i, j) of the input, at row i and column j of the output, for all of them.
using Source =
    std::function<float(const std::vector<float>& input, const ConstMatrix& from, std::size_t i, std::size_t j)>;

void write(const ConstMatrix& input, const Matrix& output, const Source& source) {
  std::vector<float> values(input.rows * input.pitch);
  CUDA_CHECK(cudaMemcpy(values.data(), input.data, values.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (std::size_t i = 0; i < output.rows; ++i) {
    std::vector<float> row(output.columns);
    for (std::size_t j = 0; j < output.columns; ++j) row[j] = source(values, input, i, j);
    CUDA_CHECK(
        cudaMemcpy(output.data + i * output.pitch, row.data(), row.size() * sizeof(float), cudaMemcpyHostToDevice));
  }
}

void copies(ConstMatrix input, Matrix output, dim3, cudaStream_t) {
  write(input, output, [](const auto& values, const auto& from, auto i, auto j) { return values[i * from.pitch + j]; });
}
void transposes(ConstMatrix input, Matrix output, dim3, cudaStream_t) {
  write(input, output, [](const auto& values, const auto& from, auto i, auto j) { return values[j * from.pitch + i]; });
}
void zeros(ConstMatrix input, Matrix output, dim3, cudaStream_t) {
  write(input, output, [](const auto&, const auto&, auto, auto) { return 0.0f; });
}
void nothing(ConstMatrix, Matrix, dim3, cudaStream_t) {}
void only_the_pitch_is_wrong(ConstMatrix input, Matrix output, dim3, cudaStream_t) {
  write(input, output,
        [](const auto& values, const auto& from, auto i, auto j) { return values[j * from.columns + i]; });
}
void changes_its_input(ConstMatrix input, Matrix output, dim3 block, cudaStream_t stream) {
  copies(input, output, block, stream);
  CUDA_CHECK(cudaMemset(const_cast<float*>(input.data) + input.pitch, 0, sizeof(float)));
}
void writes_into_the_gap(ConstMatrix input, Matrix output, dim3 block, cudaStream_t stream) {
  copies(input, output, block, stream);
  CUDA_CHECK(cudaMemset(output.data + output.columns, 0, sizeof(float)));
}

Verdict verdict(Move move, MoveOnDevice on_device, Sizes sizes, double padding = 0.0, double misalign = 0.0) {
  const MatrixProblem problem(move, on_device);
  Settings settings = default_settings(Stage{}, problem);
  settings.sizes = std::move(sizes);
  settings.options = {{"padding", padding}, {"output-padding", 1.5 * padding}, {"misalign", misalign}};
  return run_case(problem, *problem.make_case(settings), settings, current_device(), {2}).verdict;
}

TEST(MatrixProblem, WhoeverMovesEachElementIsRight) {
  for (const Sizes& sizes : {Sizes{1, 1}, Sizes{5, 9}, Sizes{33, 2}, Sizes{0, 5}, Sizes{5, 0}}) {
    for (const double padding : {0.0, 2.0}) {
      for (const double misalign : {0.0, 1.0}) {
        const Verdict copied = verdict(Move::copy, copies, sizes, padding, misalign);
        EXPECT_TRUE(copied.matches) << text_of(sizes) << ": " << copied.reason;
        EXPECT_EQ(copied.elements, sizes[0] * sizes[1]);
        const Verdict transposed = verdict(Move::transpose, transposes, sizes, padding, misalign);
        EXPECT_TRUE(transposed.matches) << text_of(sizes) << ": " << transposed.reason;
      }
    }
  }
}

TEST(MatrixProblem, AWrongTransposeSaysFromWhereTheWordCame) {
  EXPECT_EQ(
      verdict(Move::transpose, copies, {8, 8}).reason,
      "56 of 64 elements are wrong; the first is row 0, column 1: expected the input's row 1, column 0, found the "
      "input's row 0, column 1; every wrong element is the input's at the same place in memory");
  EXPECT_EQ(verdict(Move::copy, transposes, {8, 8}).pattern,
            "every wrong element holds what belongs where row and column are exchanged");
  EXPECT_EQ(verdict(Move::transpose, nothing, {5, 9}).reason,
            "45 of 45 elements are wrong; the first is row 0, column 0: expected the input's row 0, column 0, found "
            "what memory holds that nobody wrote; nobody wrote any element of the output");
  const Verdict pitch = verdict(Move::transpose, only_the_pitch_is_wrong, {3, 4}, 2.0);
  EXPECT_EQ(pitch.first_index, "row 0, column 1");
  EXPECT_EQ(pitch.first_expected, "the input's row 1, column 0");
  EXPECT_EQ(pitch.first_got, "the input's row 0, column 4 (behind the end of the row)");
}

TEST(MatrixProblem, AZeroIsNoElementOfTheInput) {
  EXPECT_EQ(verdict(Move::copy, zeros, {1, 1}).reason,
            "1 of 1 elements is wrong; the first is element 0: expected the input's row 0, column 0, found 0; every "
            "element is 0");
}

TEST(MatrixProblem, ARightOutputIsNotAll) {
  const Verdict changed = verdict(Move::copy, changes_its_input, {4, 6});
  EXPECT_FALSE(changed.matches);
  EXPECT_EQ(changed.reason, "the input must not change, and its row 1, column 0 has");
  EXPECT_EQ(changed.wrong, 0u);
  const Verdict gap = verdict(Move::copy, writes_into_the_gap, {4, 6}, 2.0);
  EXPECT_FALSE(gap.matches);
  EXPECT_EQ(gap.reason.rfind("a store between two rows of the output, behind row 0: 1 element behind its last", 0), 0u)
      << gap.reason;
}

TEST(MatrixProblem, WorkIsEachElementReadAndWritten) {
  const MatrixProblem problem(Move::copy, nothing);
  Settings settings = default_settings(Stage{}, problem);
  settings.sizes = {1000, 20};
  const Work work = problem.work(settings);
  EXPECT_EQ(work.unit, "floats");
  EXPECT_EQ(work.elements, 20'000.0);
  EXPECT_EQ(work.bytes_read, 80'000.0);
  EXPECT_EQ(work.bytes_written, 80'000.0);
  settings.sizes = {std::size_t{1} << 30, std::size_t{1} << 30};  // the largest there are
  EXPECT_EQ(problem.work(settings).bytes_read, 0x1p62);
}

// Square shapes hide an exchange of rows and columns. Multiples of a tile hide a missing guard. A pitch that is the
// width hides that it was not used.
TEST(MatrixProblem, CasesHideNothing) {
  const MatrixProblem problem(Move::transpose, nothing);
  const std::vector<dim3> shapes = problem.block_rule().shapes;
  for (const Purpose purpose : {Purpose::quick, Purpose::hostile, Purpose::full}) {
    std::set<std::string> blocks;
    bool wide = false, tall = false, odd = false, padded = false;
    for (const Settings& settings : problem.cases(purpose, default_settings(Stage{}, problem), shapes, true)) {
      const std::size_t rows = settings.sizes.at(0), columns = settings.sizes.at(1);
      blocks.insert(text_of(settings.block));
      wide = wide || (rows > 1 && columns > rows);
      tall = tall || (columns > 1 && rows > columns);
      odd = odd || (rows % 2 == 1 && columns % 2 == 1 && rows > 32 && columns > 32);
      padded = padded || settings.options.at("padding") > 0.0;
    }
    EXPECT_EQ(blocks.size(), shapes.size()) << name_of(purpose);
    EXPECT_TRUE(wide && tall && padded) << name_of(purpose);
    EXPECT_TRUE(odd || purpose == Purpose::quick) << name_of(purpose);
  }
}

}  // namespace
}  // namespace workbook
