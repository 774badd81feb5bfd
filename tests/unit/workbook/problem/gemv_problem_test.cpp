// SPDX-License-Identifier: MIT
// Products of a matrix and a vector. Tested are the reference on both sides, the bound, what the verdict says of the
// mistakes that kernels make, and the workspace. The host plays the kernel, on a device's memory.
#include "workbook/problem/products/gemv/gemv_problem.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <vector>

#include "workbook/case/run.h"
#include "workbook/program/command_line.h"

namespace workbook {
namespace {

std::vector<float> on_host(const float* data, std::size_t n) {
  std::vector<float> values(n);
  if (n > 0) CUDA_CHECK(cudaMemcpy(values.data(), data, n * sizeof(float), cudaMemcpyDeviceToHost));
  return values;
}

// y = the sums of a(i, j) * x of its column (Side::rows), or of its row. The terms from `terms_left_out` before the end
// on are left out.
void write(Side side, const ConstMatrix& a, const float* x, float* y, std::size_t terms_left_out) {
  const std::vector<float> matrix = on_host(a.data, a.rows * a.pitch);
  const bool is_plain = side == Side::rows;
  const std::size_t outputs = is_plain ? a.rows : a.columns, terms = is_plain ? a.columns : a.rows;
  const std::vector<float> factors = on_host(x, terms);
  std::vector<float> sums(outputs, 0.0f);
  for (std::size_t i = 0; i < outputs; ++i) {
    for (std::size_t k = 0; k + terms_left_out < terms; ++k) {
      sums[i] += matrix[is_plain ? i * a.pitch + k : k * a.pitch + i] * factors[k];
    }
  }
  if (outputs > 0) CUDA_CHECK(cudaMemcpy(y, sums.data(), outputs * sizeof(float), cudaMemcpyHostToDevice));
}

void multiplies(ConstMatrix a, const float* x, float* y, const GemvWorkspace&, unsigned, cudaStream_t) {
  write(Side::rows, a, x, y, 0);
}
void multiplies_transposed(ConstMatrix a, const float* x, float* y, const GemvWorkspace&, unsigned, cudaStream_t) {
  write(Side::columns, a, x, y, 0);
}
void leaves_out_the_last_term(ConstMatrix a, const float* x, float* y, const GemvWorkspace&, unsigned, cudaStream_t) {
  write(Side::rows, a, x, y, 1);
}
void leaves_a_ticket(ConstMatrix a, const float* x, float* y, const GemvWorkspace& workspace, unsigned, cudaStream_t) {
  write(Side::rows, a, x, y, 0);
  const unsigned left = 3;
  CUDA_CHECK(cudaMemcpy(workspace.tickets + 2, &left, sizeof left, cudaMemcpyHostToDevice));
}
void uses_all_of_the_workspace(ConstMatrix a, const float* x, float* y, const GemvWorkspace& workspace, unsigned,
                               cudaStream_t) {
  write(Side::rows, a, x, y, 0);
  CUDA_CHECK(cudaMemset(workspace.partial_sums, 1, gemv_partial_sums(a.rows, a.columns) * sizeof(float)));
  CUDA_CHECK(cudaMemset(workspace.tickets, 0, gemv_partial_sums(a.rows, a.columns) * sizeof(unsigned)));
}
void answers_nan(ConstMatrix a, const float*, float* y, const GemvWorkspace&, unsigned, cudaStream_t) {
  const std::vector<float> nan(a.rows, std::numeric_limits<float>::quiet_NaN());
  CUDA_CHECK(cudaMemcpy(y, nan.data(), nan.size() * sizeof(float), cudaMemcpyHostToDevice));
}
void nothing(ConstMatrix, const float*, float*, const GemvWorkspace&, unsigned, cudaStream_t) {}

Settings settings_of(const GemvProblem& problem, Factors factors, const Sizes& sizes, double padding = 0.0,
                     double misalign = 0.0) {
  Settings settings = default_settings(Stage{}, problem);
  settings.sizes = sizes;
  settings.options = {{"factors", static_cast<double>(factors)},
                      {"padding", padding},
                      {"misalign", misalign},
                      {"x-misalign", misalign > 0.0 ? 3.0 - misalign : 0.0},
                      {"y-misalign", misalign}};
  return settings;
}

Verdict verdict(MultiplyVectorOnDevice on_device, Factors factors, const Sizes& sizes, Side side = Side::rows,
                double padding = 0.0, double misalign = 0.0) {
  const GemvProblem problem(side, on_device);
  const Settings settings = settings_of(problem, factors, sizes, padding, misalign);
  return run_case(problem, *problem.make_case(settings), settings, current_device(), {2}).verdict;
}

TEST(GemvProblem, WhoeverAddsAllProductsIsRight) {
  for (const Factors factors : {Factors::uniform, Factors::balanced, Factors::integers, Factors::places}) {
    for (const Sizes& sizes : {Sizes{1, 1}, Sizes{5, 9}, Sizes{33, 2}, Sizes{2, 5000}, Sizes{0, 5}, Sizes{5, 0}}) {
      for (const double misalign : {0.0, 1.0}) {
        const Verdict plain = verdict(multiplies, factors, sizes, Side::rows, 2.0 * misalign, misalign);
        EXPECT_TRUE(plain.matches) << name_of(factors) << " " << text_of(sizes) << ": " << plain.reason;
        const Verdict transposed =
            verdict(multiplies_transposed, factors, sizes, Side::columns, 2.0 * misalign, misalign);
        EXPECT_TRUE(transposed.matches) << name_of(factors) << " " << text_of(sizes) << ": " << transposed.reason;
      }
    }
  }
}

TEST(GemvProblem, WrongProductsAreRefused) {
  for (const Factors factors : {Factors::uniform, Factors::balanced, Factors::integers}) {
    EXPECT_FALSE(verdict(leaves_out_the_last_term, factors, {9, 7}).matches) << name_of(factors);
    EXPECT_FALSE(verdict(multiplies_transposed, factors, {8, 8}).matches) << name_of(factors);
    EXPECT_FALSE(verdict(multiplies, factors, {8, 8}, Side::columns).matches) << name_of(factors);
    EXPECT_FALSE(verdict(answers_nan, factors, {9, 7}).matches) << name_of(factors);
    EXPECT_FALSE(verdict(nothing, factors, {9, 7}).matches) << name_of(factors);
  }
}

// x has its 1 at the seed, which is 12345, modulo 8: A's column 1, or its row 1.
TEST(GemvProblem, PlacesNameWhatAWrongElementIs) {
  const Verdict judged = verdict(multiplies_transposed, Factors::places, {8, 8});
  EXPECT_EQ(judged.first_expected, "2, which is A's row 0, column 1");
  EXPECT_EQ(judged.first_got, "9, which is A's row 1, column 0");
}

TEST(GemvProblem, ATicketThatIsLeftIsRefusedEvenWithTheRightResult) {
  const Verdict judged = verdict(leaves_a_ticket, Factors::integers, {9, 7});
  EXPECT_FALSE(judged.matches);
  EXPECT_NE(judged.reason.find("ticket 2 is 3 after the computation"), std::string::npos) << judged.reason;
}

TEST(GemvProblem, TheWorkspaceIsAsLargeAsItSays) {
  EXPECT_TRUE(verdict(uses_all_of_the_workspace, Factors::integers, {9, 70}).matches);
  EXPECT_EQ(gemv_partial_sums(9, 70), 12u * 3u);
  EXPECT_EQ(gemv_partial_sums(0, 70), 0u);
  EXPECT_EQ(gemv_partial_sums(9, 0), 0u);
}

TEST(GemvProblem, IntegersAreExactInEveryOrderAndNotAllZero) {
  for (const std::size_t terms : {std::size_t{64}, std::size_t{4096}, std::size_t{100'000}}) {
    const VectorProduct product = make_vector_product(Factors::integers, Side::rows, 2, terms, 7);
    for (std::size_t i = 0; i < 2; ++i) {
      float down = 0.0f;
      double size = 0.0;
      for (std::size_t k = terms; k-- > 0;) {
        down += product.a[i * terms + k] * product.x[k];
        size += std::abs(product.a[i * terms + k] * product.x[k]);
      }
      EXPECT_EQ(down, product.y[i]);
      EXPECT_LE(size, 0x1p24);
      EXPECT_GT(size, 0.0);
      EXPECT_EQ(product.bounds[i], 0.0f);
    }
  }
}

// In 10,000 terms every third may be one that is not zero. With another seed it is another third.
TEST(GemvProblem, EveryTermCountsWithSomeSeed) {
  for (const std::uint32_t seed : {3u, 4u, 5u}) {
    const VectorProduct product = make_vector_product(Factors::integers, Side::rows, 1, 10'000, seed);
    std::array<std::size_t, 3> not_zero{};
    for (std::size_t k = 0; k < product.x.size(); ++k) not_zero.at(k % 3) += product.x[k] == 0.0f ? 0u : 1u;
    for (std::size_t third = 0; third < 3; ++third) EXPECT_EQ(not_zero.at(third) > 0, third == seed % 3) << seed;
  }
}

TEST(GemvProblem, TheBoundIsThatOfAnyOrder) {
  const VectorProduct product = make_vector_product(Factors::balanced, Side::columns, 100, 3, 1);
  double size = 0.0, sum = 0.0;
  for (std::size_t i = 0; i < 100; ++i) {
    sum += static_cast<double>(product.a[i * 3]) * product.x[i];
    size += std::abs(static_cast<double>(product.a[i * 3]) * product.x[i]);
  }
  EXPECT_EQ(product.y[0], static_cast<float>(sum));
  EXPECT_NEAR(product.bounds[0], 100.0 * 0x1p-24 * size + 0x1p-24 * std::abs(sum), 1e-4 * product.bounds[0]);
}

TEST(GemvProblem, WorkIsAMultiplyAddForEachElement) {
  const GemvProblem rows(Side::rows, nothing), columns(Side::columns, nothing);
  for (const GemvProblem* problem : {&rows, &columns}) {
    const Work work = problem->work(settings_of(*problem, Factors::uniform, {10, 30}));
    EXPECT_EQ(work.elements, 300.0);
    EXPECT_EQ(work.operations, 600.0);
    EXPECT_EQ(work.bytes_read, 4.0 * (300 + (problem == &rows ? 30 : 10)));
    EXPECT_EQ(work.bytes_written, 4.0 * (problem == &rows ? 10 : 30));
  }
}

TEST(GemvProblem, CasesHideNothing) {
  const GemvProblem problem(Side::rows, nothing);
  const std::vector<dim3> shapes = problem.block_rule().shapes;
  for (const Purpose purpose : {Purpose::quick, Purpose::hostile, Purpose::full}) {
    std::set<std::string> blocks;
    bool padded = false, long_rows = false, long_columns = false, without_terms = false, without_outputs = false;
    std::array<bool, 3> misaligned{};  // A, x, y: one of them, and another not
    for (const Settings& settings : problem.cases(purpose, default_settings(Stage{}, problem), shapes, true)) {
      const std::size_t rows = settings.sizes[0], columns = settings.sizes[1];
      blocks.insert(text_of(settings.block));
      padded = padded || settings.options.at("padding") > 0.0;
      long_rows = long_rows || columns > 1000 * (rows + 1);
      long_columns = long_columns || rows > 1000 * (columns + 1);
      without_terms = without_terms || (columns == 0 && rows > 0);
      without_outputs = without_outputs || (rows == 0 && columns > 0);
      const bool a = settings.options.at("misalign") > 0.0, x = settings.options.at("x-misalign") > 0.0,
                 y = settings.options.at("y-misalign") > 0.0;
      misaligned[0] = misaligned[0] || (a && !x);
      misaligned[1] = misaligned[1] || (x && !a);
      misaligned[2] = misaligned[2] || (y && !a && !x);
    }
    EXPECT_EQ(blocks.size(), shapes.size()) << name_of(purpose);
    EXPECT_TRUE(padded && long_rows && long_columns) << name_of(purpose);
    if (purpose == Purpose::quick) continue;
    EXPECT_TRUE(without_terms && without_outputs && misaligned[0]) << name_of(purpose);
    EXPECT_TRUE(purpose == Purpose::full || (misaligned[1] && misaligned[2]));
  }
}

}  // namespace
}  // namespace workbook
