// SPDX-License-Identifier: MIT
// Matrix products: the numbers, the reference in every order of its loops, the bound, and what the verdict says of the
// mistakes that kernels make. The host plays the kernel, on a device's memory.
#include "workbook/problem/products/matmul/matmul_problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "product_on_host.h"
#include "workbook/case/run.h"
#include "workbook/program/command_line.h"

namespace workbook {
namespace {

void multiplies(ConstMatrix a, ConstMatrix b, Matrix c, dim3, cudaStream_t) {
  write(a, b, c, [](const auto& a, const auto& b, auto i, auto j) { return dot(a, b, i, j, a.matrix.columns); });
}
void leaves_out_the_last_term(ConstMatrix a, ConstMatrix b, Matrix c, dim3, cudaStream_t) {
  write(a, b, c, [](const auto& a, const auto& b, auto i, auto j) { return dot(a, b, i, j, a.matrix.columns - 1); });
}
void takes_the_row_below(ConstMatrix a, ConstMatrix b, Matrix c, dim3, cudaStream_t) {
  write(a, b, c, [](const auto& a, const auto& b, auto i, auto j) {
    return dot(a, b, (i + 1) % a.matrix.rows, j, a.matrix.columns);
  });
}
// As a tensor core rounds its inputs: ten bits behind the point.
void multiplies_in_tf32(ConstMatrix a, ConstMatrix b, Matrix c, dim3, cudaStream_t) {
  const auto rounded = [](float value) { return std::ldexp(std::nearbyint(std::ldexp(value, 10)), -10); };
  write(a, b, c, [&](const auto& a, const auto& b, auto i, auto j) {
    float sum = 0.0f;
    for (std::size_t k = 0; k < a.matrix.columns; ++k) {
      int exponent = 0;
      const float mantissa = std::frexp(a.at(i, k), &exponent);  // in [0.5, 1): one bit less behind the point
      sum += std::ldexp(rounded(2.0f * mantissa), exponent - 1) * b.at(k, j);
    }
    return sum;
  });
}
// As a tensor core is given them where nobody has rounded: the last 13 bits are left out.
float cut(float value) {
  int exponent = 0;
  const float mantissa = std::frexp(value, &exponent);
  return std::ldexp(std::trunc(std::ldexp(mantissa, 11)), exponent - 11);
}
template <bool kA, bool kB>
void multiplies_what_is_cut(ConstMatrix a, ConstMatrix b, Matrix c, dim3, cudaStream_t) {
  write(a, b, c, [&](const auto& a, const auto& b, auto i, auto j) {
    float sum = 0.0f;
    for (std::size_t k = 0; k < a.matrix.columns; ++k) {
      sum += (kA ? cut(a.at(i, k)) : a.at(i, k)) * (kB ? cut(b.at(k, j)) : b.at(k, j));
    }
    return sum;
  });
}
// What is below 2^-24 of the largest number of its row of A counts as zero.
void forgets_small_numbers(ConstMatrix a, ConstMatrix b, Matrix c, dim3, cudaStream_t) {
  write(a, b, c, [](const auto& a, const auto& b, auto i, auto j) {
    float largest = 0.0f, sum = 0.0f;
    for (std::size_t k = 0; k < a.matrix.columns; ++k) largest = std::max(largest, std::abs(a.at(i, k)));
    for (std::size_t k = 0; k < a.matrix.columns; ++k) {
      if (std::abs(a.at(i, k)) >= 0x1p-24f * largest) sum += a.at(i, k) * b.at(k, j);
    }
    return sum;
  });
}
void answers_nan(ConstMatrix a, ConstMatrix b, Matrix c, dim3, cudaStream_t) {
  write(a, b, c, [](const auto&, const auto&, auto, auto) { return std::numeric_limits<float>::quiet_NaN(); });
}
void adds_twice(ConstMatrix a, ConstMatrix b, Matrix c, dim3, cudaStream_t) {
  write(a, b, c, [](const auto& a, const auto& b, auto i, auto j) { return 2.0f * dot(a, b, i, j, a.matrix.columns); });
}
void nothing(ConstMatrix, ConstMatrix, Matrix, dim3, cudaStream_t) {}

Verdict verdict(MultiplyOnDevice on_device, Factors factors, Sizes sizes, double padding = 0.0, double misalign = 0.0,
                Arithmetic arithmetic = Arithmetic::float32) {
  const MatmulProblem problem(on_device, arithmetic);
  Settings settings = default_settings(Stage{}, problem);
  settings.sizes = std::move(sizes);
  settings.options["factors"] = static_cast<double>(factors);
  settings.options["padding"] = padding;
  settings.options["output-padding"] = 1.5 * padding;
  settings.options["misalign"] = misalign;
  return run_case(problem, *problem.make_case(settings), settings, current_device(), {2}).verdict;
}

TEST(MatmulProblem, WhoeverAddsAllProductsIsRight) {
  for (const Factors factors : {Factors::uniform, Factors::balanced, Factors::integers, Factors::places,
                                Factors::identity, Factors::one_hot, Factors::scaled, Factors::adverse}) {
    for (const Sizes& sizes :
         {Sizes{1, 1, 1}, Sizes{5, 9, 7}, Sizes{33, 2, 20}, Sizes{0, 5, 3}, Sizes{5, 0, 3}, Sizes{5, 3, 0}}) {
      for (const double padding : {0.0, 2.0}) {
        const Verdict judged = verdict(multiplies, factors, sizes, padding, padding / 2.0);
        EXPECT_TRUE(judged.matches) << name_of(factors) << " " << text_of(sizes) << ": " << judged.reason;
      }
    }
  }
}

TEST(MatmulProblem, SaysWhatIsNanInTheCase) {
  const auto says = [](double padding) {
    const Verdict judged = verdict(answers_nan, Factors::uniform, {9, 8, 7}, padding);
    return judged.reason.find("in this case NaN lies between the rows of A and B") != std::string::npos;
  };
  EXPECT_TRUE(says(2.0));
  EXPECT_FALSE(says(0.0));
}

TEST(MatmulProblem, WrongProductsAreRefused) {
  for (const Factors factors : {Factors::uniform, Factors::balanced, Factors::integers}) {
    EXPECT_FALSE(verdict(leaves_out_the_last_term, factors, {9, 8, 7}).matches) << name_of(factors);
    EXPECT_FALSE(verdict(takes_the_row_below, factors, {9, 8, 7}).matches) << name_of(factors);
    EXPECT_FALSE(verdict(answers_nan, factors, {9, 8, 7}).matches) << name_of(factors);
    EXPECT_FALSE(verdict(nothing, factors, {9, 8, 7}).matches) << name_of(factors);
  }
  const Verdict row = verdict(takes_the_row_below, Factors::places, {9, 8, 7});
  EXPECT_EQ(row.wrong, 72u);
  EXPECT_EQ(row.first_expected, "4, which is A's row 0, column 3");
  EXPECT_EQ(row.first_got, "11, which is A's row 1, column 3");
}

// The error bound lets ten bits pass where sums are long; whole numbers of twelve bits do not.
TEST(MatmulProblem, IntegersTellTf32) {
  EXPECT_TRUE(verdict(multiplies_in_tf32, Factors::uniform, {8, 8, 2000}).matches);
  EXPECT_FALSE(verdict(multiplies_in_tf32, Factors::integers, {8, 8, 2000}).matches);
  EXPECT_FALSE(verdict(multiplies_in_tf32, Factors::identity, {8, 8, 8}).matches);
}

// Each number is the nearest one of eleven bits. Where all lie just below the next, cutting loses far more than may be
// lost. Where there is one term, that shows of each matrix alone.
TEST(MatmulProblem, InTf32FactorsAreRoundedAndNotCut) {
  const auto in_tf32 = [](MultiplyOnDevice function, Factors factors) {
    return verdict(function, factors, {20, 24, 60}, 0.0, 0.0, Arithmetic::tf32);
  };
  for (const Factors factors : {Factors::uniform, Factors::balanced, Factors::integers, Factors::places,
                                Factors::identity, Factors::scaled, Factors::adverse}) {
    EXPECT_TRUE(in_tf32(multiplies, factors).matches) << name_of(factors);
    EXPECT_TRUE(in_tf32(multiplies_in_tf32, factors).matches) << name_of(factors);
  }
  const std::string reason = in_tf32(multiplies_what_is_cut<true, true>, Factors::adverse).reason;
  EXPECT_NE(reason.find("factors that are cut to eleven bits, not rounded"), std::string::npos) << reason;
  for (const MultiplyOnDevice function : {multiplies_what_is_cut<true, false>, multiplies_what_is_cut<false, true>}) {
    EXPECT_FALSE(in_tf32(function, Factors::adverse).matches);
    EXPECT_FALSE(verdict(function, Factors::uniform, {30, 29, 1}, 0.0, 0.0, Arithmetic::tf32).matches);
  }
  const Verdict short_sum = in_tf32(leaves_out_the_last_term, Factors::uniform);
  EXPECT_FALSE(short_sum.matches);
  EXPECT_EQ(short_sum.reason.find("eleven bits"), std::string::npos) << short_sum.reason;
  EXPECT_NE(in_tf32(adds_twice, Factors::uniform).reason.find("each element is twice what it should be"),
            std::string::npos);
}

TEST(MatmulProblem, InSinglePrecisionNoBitIsLost) {
  for (const Factors factors :
       {Factors::integers, Factors::identity, Factors::adverse, Factors::scaled, Factors::halfway, Factors::terms}) {
    EXPECT_TRUE(verdict(multiplies, factors, {20, 24, 60}, 0.0, 0.0, Arithmetic::split).matches) << name_of(factors);
    EXPECT_FALSE(verdict(multiplies_in_tf32, factors, {20, 24, 60}, 0.0, 0.0, Arithmetic::split).matches)
        << name_of(factors);
  }
}

TEST(MatmulProblem, WhatALargeNumberDrownsCounts) {
  EXPECT_TRUE(verdict(multiplies, Factors::wide, {20, 24, 60}, 0.0, 0.0, Arithmetic::split).matches);
  EXPECT_FALSE(verdict(forgets_small_numbers, Factors::wide, {20, 24, 60}, 0.0, 0.0, Arithmetic::split).matches);
  EXPECT_TRUE(verdict(forgets_small_numbers, Factors::integers, {20, 24, 60}, 0.0, 0.0, Arithmetic::split).matches);
}

// Nothing is allowed beside infinities and NaN, though the sum of absolute values is infinite there.
TEST(MatmulProblem, InfinitiesAndNanAreExpectedToTheBit) {
  EXPECT_TRUE(verdict(multiplies, Factors::special, {20, 24, 30}, 0.0, 0.0, Arithmetic::split).matches);
  EXPECT_FALSE(verdict(answers_nan, Factors::special, {20, 24, 30}, 0.0, 0.0, Arithmetic::split).matches);
  const Product product = make_product(Factors::special, 20, 24, 30, 1, {}, Arithmetic::split);
  std::size_t infinite = 0, none = 0;
  for (std::size_t i = 0; i < product.c.size(); ++i) {
    EXPECT_TRUE(std::isfinite(product.c[i]) || product.bounds[i] == 0.0f);
    infinite += std::isinf(product.c[i]) ? 1u : 0u;
    none += std::isnan(product.c[i]) ? 1u : 0u;
  }
  EXPECT_GT(infinite, 20u);
  EXPECT_GT(none, 20u);
}

// The second of two numbers of 11 bits is a whole number of up to 2^12 here, of which one is lost. What both lose in
// their product is twice 2^-11.
TEST(MatmulProblem, HalfwayFactorsLoseAsMuchAsCanBe) {
  for (const float number : make_product(Factors::halfway, 9, 8, 7, 1).a) {
    const float eleven_bits = std::nearbyint(number * 0x1p10f) * 0x1p-10f, left = (number - eleven_bits) * 0x1p23f;
    EXPECT_EQ(left, 4093.0f);
  }
}

TEST(MatmulProblem, LinesOfScaledMatricesAreFarApart) {
  const Product product = make_product(Factors::scaled, 27, 3, 50, 1),
                plain = make_product(Factors::balanced, 27, 3, 50, 1);
  std::set<float> scales;
  for (std::size_t i = 0; i < 27; ++i) {
    scales.insert(product.a[i * 50] / plain.a[i * 50]);
    EXPECT_EQ(product.a[i * 50 + 7], plain.a[i * 50 + 7] * scale_of_line(i));
  }
  EXPECT_EQ(scales.size(), 27u);
  EXPECT_EQ(*scales.begin(), 0x1p-13f);
  EXPECT_EQ(*scales.rbegin(), 0x1p13f);
}

// What makes the CPU's six orders of loops one and the same: each element adds its products in the order of k.
TEST(MatmulProblem, EveryOrderOfIntegersIsExact) {
  for (const std::size_t k : {std::size_t{64}, std::size_t{4096}, std::size_t{10'000}}) {
    const Product product = make_product(Factors::integers, 3, 4, k, 7);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 4; ++j) {
        float up = 0.0f, down = 0.0f;
        double size = 0.0;
        for (std::size_t p = 0; p < k; ++p) {
          up += product.a[i * k + p] * product.b[p * 4 + j];
          down += product.a[i * k + k - 1 - p] * product.b[(k - 1 - p) * 4 + j];
          size += std::abs(product.a[i * k + p] * product.b[p * 4 + j]);
        }
        EXPECT_EQ(up, product.c[i * 4 + j]);
        EXPECT_EQ(down, product.c[i * 4 + j]);
        EXPECT_LE(size, 0x1p24);
        EXPECT_EQ(product.bounds[i * 4 + j], 0.0f);
      }
    }
  }
}

TEST(MatmulProblem, TheBoundIsThatOfAnyOrder) {
  const Product product = make_product(Factors::balanced, 2, 3, 100, 1);
  double size = 0.0, sum = 0.0;
  for (std::size_t p = 0; p < 100; ++p) {
    sum += static_cast<double>(product.a[p]) * product.b[p * 3];
    size += std::abs(static_cast<double>(product.a[p]) * product.b[p * 3]);
  }
  EXPECT_EQ(product.c[0], static_cast<float>(sum));
  EXPECT_NEAR(product.bounds[0], 100.0 * 0x1p-24 * size + 0x1p-24 * std::abs(sum), 1e-4 * product.bounds[0]);
}

TEST(MatmulProblem, WorkIsAMultiplyAddForEachTerm) {
  const MatmulProblem problem(nothing);
  Settings settings = default_settings(Stage{}, problem);
  settings.sizes = {10, 20, 30};
  const Work work = problem.work(settings);
  EXPECT_EQ(work.elements, 6000.0);
  EXPECT_EQ(work.operations, 12'000.0);
  EXPECT_EQ(work.bytes_read, 4.0 * (300 + 600));
  EXPECT_EQ(work.bytes_written, 4.0 * 200);
}

TEST(MatmulProblem, CasesHideNothing) {
  const MatmulProblem problem(nothing);
  const std::vector<dim3> shapes = problem.block_rule().shapes;
  for (const Purpose purpose : {Purpose::quick, Purpose::hostile, Purpose::full}) {
    std::set<std::string> blocks;
    std::array<bool, 3> largest{};  // which of the three extents is the largest, in some case
    bool padded = false, misaligned = false, without_terms = false;
    for (const Settings& settings : problem.cases(purpose, default_settings(Stage{}, problem), shapes, true)) {
      const Sizes& sizes = settings.sizes;
      blocks.insert(text_of(settings.block));
      const auto most = static_cast<std::size_t>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
      largest.at(most) = true;
      padded = padded || settings.options.at("padding") > 0.0;
      misaligned = misaligned || settings.options.at("misalign") > 0.0;
      without_terms = without_terms || (sizes[2] == 0 && sizes[0] * sizes[1] > 0);
    }
    EXPECT_EQ(blocks.size(), shapes.size()) << name_of(purpose);
    EXPECT_TRUE(padded) << name_of(purpose);
    if (purpose == Purpose::quick) continue;
    EXPECT_TRUE(largest[0] && largest[1] && largest[2] && misaligned && without_terms) << name_of(purpose);
  }
}

TEST(Factors, TheTermsThatAreWrongAreNamedWhereTheyHaveAPattern) {
  // One row of C: column j has the term j of 40, as a place of A's first row.
  std::vector<float> expected(40);
  for (std::size_t j = 0; j < expected.size(); ++j) expected[j] = static_cast<float>(j + 1);
  const auto said = [&](const std::function<bool(std::size_t)>& is_wrong) {
    std::vector<float> got = expected;
    for (std::size_t j = 0; j < got.size(); ++j) got[j] = is_wrong(j) ? 0.0f : got[j];
    return wrong_terms(expected, got, 40, 40);
  };
  EXPECT_EQ(said([](std::size_t j) { return j % 16 == 3; }),
            "; of the sums, every 16th term is wrong, the first of them number 3");
  EXPECT_EQ(said([](std::size_t j) { return j >= 32; }), "; of the sums, all terms from number 32 on are wrong");
  EXPECT_EQ(said([](std::size_t j) { return j < 3; }), "; of the sums, all terms up to number 2 are wrong");
  EXPECT_EQ(said([](std::size_t j) { return j == 7; }),
            "; of the sums, term number 7 is wrong, and 39 others are right");
  EXPECT_EQ(said([](std::size_t j) { return j == 7 || j == 8; }), "");
  EXPECT_EQ(said([](std::size_t) { return true; }), "");
  std::vector<float> twice = expected;
  twice[7] = 16.0f;
  EXPECT_EQ(wrong_terms(expected, twice, 40, 40), "; of the sums, term number 7 is wrong, and 39 others are right")
      << "16 is the value of another element of A, too";
  EXPECT_EQ(wrong_terms({2.0f}, {4.0f}, 1, 2), "; it is 2 times what it should be") << "no element of A is 4";
  twice[8] = 18.0f;
  EXPECT_EQ(wrong_terms(expected, twice, 40, 40), "; it is 2 times what it should be, as all that is wrong");
}

}  // namespace
}  // namespace workbook
