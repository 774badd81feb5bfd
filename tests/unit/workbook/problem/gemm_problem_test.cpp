// SPDX-License-Identifier: MIT
// GEMM and products with a workspace. Tested are the reference with its bound, the forms that cases have, and what the
// verdict says of the mistakes that kernels make. The host plays the kernel, on a device's memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "product_on_host.h"
#include "workbook/case/run.h"
#include "workbook/problem/products/matmul/matmul_problem.h"
#include "workbook/program/command_line.h"

namespace workbook {
namespace {

float at(const Operand& operand, const OnHost& stored, std::size_t i, std::size_t j) {
  return operand.is_transposed ? stored.at(j, i) : stored.at(i, j);
}

// What a kernel may do wrong.
struct Mistakes {
  bool reads_c = false, reads_factors = false;  // also where they are multiplied by 0
  bool forgets_alpha = false;
  bool takes_b_as_stored = false;
};

void compute(const Mistakes& does, float alpha, const Operand& a, const Operand& b, float beta, const Matrix& c) {
  const OnHost before({c.data, c.rows, c.columns, c.pitch});
  write(a.stored, b.stored, c, [&](const OnHost& stored_a, const OnHost& stored_b, std::size_t i, std::size_t j) {
    const Operand taken{b.stored, b.is_transposed && !does.takes_b_as_stored};
    float sum = 0.0f;
    for (std::size_t k = 0; k < (alpha == 0.0f && !does.reads_factors ? 0 : a.columns()); ++k) {
      sum += at(a, stored_a, i, k) * at(taken, stored_b, k, j);
    }
    const float product = does.forgets_alpha ? sum : alpha * sum;
    return beta == 0.0f && !does.reads_c ? product : product + beta * before.at(i, j);
  });
}

void right(float alpha, Operand a, Operand b, float beta, Matrix c, float*, dim3, cudaStream_t) {
  compute({}, alpha, a, b, beta, c);
}
void reads_c(float alpha, Operand a, Operand b, float beta, Matrix c, float*, dim3, cudaStream_t) {
  compute({true}, alpha, a, b, beta, c);
}
void reads_factors(float alpha, Operand a, Operand b, float beta, Matrix c, float*, dim3, cudaStream_t) {
  compute({false, true}, alpha, a, b, beta, c);
}
void forgets_alpha(float alpha, Operand a, Operand b, float beta, Matrix c, float*, dim3, cudaStream_t) {
  compute({false, false, true}, alpha, a, b, beta, c);
}
void takes_b_as_stored(float alpha, Operand a, Operand b, float beta, Matrix c, float*, dim3, cudaStream_t) {
  compute({false, false, false, true}, alpha, a, b, beta, c);
}

Verdict verdict(const MatmulProblem& problem, Factors factors, Sizes sizes,
                const std::map<std::string, double>& options) {
  Settings settings = default_settings(Stage{}, problem);
  settings.sizes = std::move(sizes);
  settings.options["factors"] = static_cast<double>(factors);
  for (const auto& [name, value] : options) settings.options[name] = value;
  return run_case(problem, *problem.make_case(settings), settings, current_device(), {2}).verdict;
}

constexpr Factors kAllFactors[] = {Factors::uniform, Factors::balanced, Factors::integers,
                                   Factors::places,  Factors::identity, Factors::one_hot};

TEST(GemmProblem, WhoeverComputesItIsRight) {
  const MatmulProblem problem(right);
  for (const Factors factors : kAllFactors) {
    for (const Sizes& sizes : {Sizes{5, 9, 7}, Sizes{33, 2, 20}, Sizes{4, 5, 0}, Sizes{0, 3, 2}}) {
      for (const double transposes : {0.0, 1.0, 2.0, 3.0}) {
        for (const double alpha : {1.0, 0.0, -1.0, 0.7}) {
          for (const double beta : {0.0, 1.0, 0.5, -1.3}) {
            const Verdict judged = verdict(problem, factors, sizes,
                                           {{"transposes", transposes},
                                            {"alpha", alpha},
                                            {"beta", beta},
                                            {"padding", transposes},
                                            {"output-padding", 2.0},
                                            {"misalign", 1.0},
                                            {"misaligned", transposes},
                                            {"calls", 2.0}});
            EXPECT_TRUE(judged.matches) << name_of(factors) << " " << text_of(sizes) << " transposes " << transposes
                                        << " alpha " << alpha << " beta " << beta << ": " << judged.reason;
          }
        }
      }
    }
  }
}

TEST(GemmProblem, ZeroTimesNanIsRefused) {
  for (const double alpha : {1.0, 0.7}) {
    EXPECT_FALSE(verdict(MatmulProblem(reads_c), Factors::integers, {5, 6, 7}, {{"alpha", alpha}}).matches);
  }
  for (const double beta : {0.0, 1.0}) {
    const std::map<std::string, double> options{{"alpha", 0.0}, {"beta", beta}};
    const Verdict judged = verdict(MatmulProblem(reads_factors), Factors::integers, {5, 6, 7}, options);
    EXPECT_FALSE(judged.matches);
    EXPECT_NE(judged.reason.find("A and B hold NaN in this case, as alpha is 0"), std::string::npos) << judged.reason;
  }
}

TEST(GemmProblem, AFactorLostOrNotTransposedIsRefused) {
  EXPECT_TRUE(verdict(MatmulProblem(forgets_alpha), Factors::uniform, {5, 6, 7}, {}).matches);
  EXPECT_FALSE(verdict(MatmulProblem(forgets_alpha), Factors::uniform, {5, 6, 7}, {{"alpha", 0.5}}).matches);
  const Verdict turned = verdict(MatmulProblem(takes_b_as_stored), Factors::places, {6, 7, 7}, {{"transposes", 2.0}});
  EXPECT_FALSE(turned.matches);
  EXPECT_EQ(turned.first_expected, "4, which is A's row 0, column 3");
}

// Rounded like a sum of a CPU, in order; and as far from it as another order may be, many times over.
TEST(GemmProblem, TheBoundCountsAlphaAndBeta) {
  const Scaling scaling{0.7f, -1.3f};
  const Product product = make_product(Factors::balanced, 3, 4, 50, 9, scaling);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      double size = 0.0, sum = 0.0;
      for (std::size_t k = 0; k < 50; ++k) {
        const double term = static_cast<double>(product.a[i * 50 + k]) * product.b[k * 4 + j];
        sum += term;
        size += std::abs(term);
      }
      const double alpha = scaling.alpha, before = static_cast<double>(scaling.beta) * product.before[i * 4 + j];
      EXPECT_EQ(product.c[i * 4 + j], static_cast<float>(alpha * sum + before));
      EXPECT_NEAR(product.bounds[i * 4 + j],
                  0x1p-24 * (52.0 * (alpha * size + std::abs(before)) + std::abs(alpha * sum + before)),
                  1e-4 * product.bounds[i * 4 + j]);
    }
  }
}

TEST(GemmProblem, IdentityKeepsEveryBit) {
  const Product product = make_product(Factors::identity, 40, 30, 35, 3);
  std::size_t odd = 0;
  for (std::size_t i = 0; i < 40; ++i) {
    for (std::size_t j = 0; j < 30; ++j) {
      EXPECT_EQ(product.c[i * 30 + j], product.a[i * 35 + j]);
      EXPECT_EQ(product.bounds[i * 30 + j], 0.0f);
      int exponent = 0;
      odd += std::fmod(std::ldexp(std::frexp(product.a[i * 35 + j], &exponent), 24), 2.0) != 0.0 ? 1u : 0u;
    }
  }
  EXPECT_GT(odd, 500u) << "half of all numbers need the last of the 24 bits";
}

TEST(GemmProblem, OneHotMeetsEveryProductOnce) {
  std::set<std::vector<float>> seen;
  for (std::uint32_t place = 0; place < 3 * 4 * 5; ++place) {
    const Product product = make_product(Factors::one_hot, 3, 4, 5, place);
    EXPECT_EQ(std::count(product.c.begin(), product.c.end(), 1.0f), 1);
    EXPECT_EQ(std::count(product.c.begin(), product.c.end(), 0.0f), 11);
    std::vector<float> both = product.a;
    both.insert(both.end(), product.b.begin(), product.b.end());
    seen.insert(both);
  }
  EXPECT_EQ(seen.size(), 60u);
}

int calls = 0;
// A sum in the order of whichever block comes first.
void differs(ConstMatrix a, ConstMatrix b, Matrix c, float*, dim3, cudaStream_t) {
  ++calls;
  write(a, b, c, [](const OnHost& a, const OnHost& b, std::size_t i, std::size_t j) {
    float sum = 0.0f;
    const std::size_t terms = a.matrix.columns;
    for (std::size_t k = 0; k < terms; ++k) {
      const std::size_t p = calls % 2 == 0 ? k : terms - 1 - k;
      sum += a.at(i, p) * b.at(p, j);
    }
    return sum;
  });
}
TEST(Partials, OtherBitsInAnotherCallAreRefused) {
  const MatmulProblem problem(differs);
  EXPECT_TRUE(verdict(problem, Factors::balanced, {3, 4, 500}, {}).matches);
  const Verdict judged = verdict(problem, Factors::balanced, {3, 4, 500}, {{"calls", 2.0}});
  EXPECT_FALSE(judged.matches);
  EXPECT_EQ(judged.reason.rfind("call 2 of the same function with the same input gives other bits", 0), 0u)
      << judged.reason;
}

TEST(Partials, HasRoomForACopyOfCForEvery64Terms) {
  EXPECT_EQ(partials_size(64, 64, 64), 4096u);
  EXPECT_EQ(partials_size(1, 65, 129), 64u * 128 * 3);
  EXPECT_EQ(partials_size(5, 6, 0), 0u);
  EXPECT_EQ(partials_size(8192, 8192, 8192), std::size_t{1} << 23);
}

// All forms of GEMM, and whole numbers whose sums are exact.
TEST(GemmProblem, CasesHideNothing) {
  const MatmulProblem problem(right);
  const std::vector<dim3> shapes = problem.block_rule().shapes;
  std::set<std::vector<double>> forms;
  std::set<double> misaligned;
  for (const Purpose purpose : {Purpose::quick, Purpose::hostile}) {
    bool is_long = false;
    bool is_scaled = false, has_odd_lines = false;
    std::set<double> few_terms;  // transpositions of the first cases, which step 1 of stage 23 is enough for
    for (const Settings& settings : problem.cases(purpose, default_settings(Stage{}, problem), shapes, true)) {
      const ProductChoice choice(settings);
      const Sizes& sizes = settings.sizes;
      if (purpose == Purpose::quick && few_terms.size() < 4) {
        few_terms.insert(settings.options.at("transposes"));
        EXPECT_TRUE(sizes[2] <= 64 && choice.scaling.alpha == 1.0f && choice.scaling.beta == 0.0f);
      }
      // Step 2 is judged before the first scaled case: the pitch is a multiple of a vector, the number of lines is not.
      is_scaled = is_scaled || choice.scaling.alpha != 1.0f || choice.scaling.beta != 0.0f;
      has_odd_lines = has_odd_lines || (!is_scaled && choice.a_is_transposed && sizes[2] > 64 && sizes[0] % 4 != 0 &&
                                        (sizes[0] + choice.padding) % 4 == 0 && choice.misalign_a == 0);
      forms.insert({static_cast<double>(choice.scaling.alpha), static_cast<double>(choice.scaling.beta),
                    settings.options.at("transposes")});
      if (settings.options.at("misalign") > 0.0) misaligned.insert(settings.options.at("misaligned"));
      is_long = is_long || (choice.calls > 1 && sizes[2] > 10 * std::min(sizes[0], sizes[1]));
      if (choice.factors != Factors::integers) continue;
      const Product product = make_product(choice.factors, sizes[0], sizes[1], sizes[2], settings.seed, choice.scaling);
      EXPECT_EQ(std::count(product.bounds.begin(), product.bounds.end(), 0.0f),
                static_cast<std::ptrdiff_t>(product.bounds.size()))
          << command_line(problem, settings);
    }
    EXPECT_TRUE(is_long) << name_of(purpose);
    EXPECT_EQ(has_odd_lines, purpose == Purpose::quick);
  }
  EXPECT_EQ(forms.size(), 8u * 4 + 4 + 1) << "eight pairs of alpha and beta, one that rounds, and an infinite alpha";
  EXPECT_EQ(misaligned.size(), 4u);
}

}  // namespace
}  // namespace workbook
