// SPDX-License-Identifier: MIT
// What a wrong product comes down to: each mistake is computed as a kernel would make it.
#include "workbook/problem/products/matmul/product_mistakes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace workbook {
namespace {

using Term = std::function<float(const Product& product, std::size_t i, std::size_t j, std::size_t p)>;

constexpr std::size_t kRows = 7, kColumns = 9, kTerms = 40;

float right_term(const Product& product, std::size_t i, std::size_t j, std::size_t p) {
  return product.a[i * kTerms + p] * product.b[p * kColumns + j];
}

/// The answer to a product whose terms are `term`.
std::string mistake_of(const Term& term, Factors factors = Factors::integers,
                       Arithmetic arithmetic = Arithmetic::float32) {
  const Product product = make_product(factors, kRows, kColumns, kTerms, 5, {}, arithmetic);
  std::vector<float> got(kRows * kColumns);
  for (std::size_t e = 0; e < got.size(); ++e) {
    for (std::size_t p = 0; p < kTerms; ++p) got[e] += term(product, e / kColumns, e % kColumns, p);
  }
  return known_mistake(product, {}, got, arithmetic);
}

Term without(std::size_t first, std::size_t end, float times = 0.0f) {
  return [=](const Product& product, std::size_t i, std::size_t j, std::size_t p) {
    return right_term(product, i, j, p) * (p >= first && p < end ? times : 1.0f);
  };
}

TEST(ProductMistakes, TermsThatAreMissingOrCountedTwiceAreNumbered) {
  EXPECT_EQ(mistake_of(right_term), "");
  for (const Factors factors : {Factors::integers, Factors::balanced}) {
    EXPECT_EQ(mistake_of(without(32, 40), factors), "; the last 8 of the 40 terms are missing");
    EXPECT_EQ(mistake_of(without(0, 1), factors), "; the first of the 40 terms is missing");
    EXPECT_EQ(mistake_of(without(8, 16), factors), "; terms number 8 to 15 of the 40 terms are missing");
    EXPECT_EQ(mistake_of(without(8, 16, 2.0f), factors), "; terms number 8 to 15 of the 40 terms are counted twice");
    EXPECT_EQ(mistake_of(without(0, 40, 2.0f), factors),
              "; each element is twice what it should be: is each product added twice?");
  }
}

TEST(ProductMistakes, PartsOfNumbersAreNamed) {
  const auto with_parts = [](double low_high, double high_low) {
    return [=](const Product& product, std::size_t i, std::size_t j, std::size_t p) {
      const float a = product.a[i * kTerms + p], b = product.b[p * kColumns + j];
      const auto high = [](float x) {
        int exponent = 0;
        const double fraction = std::frexp(static_cast<double>(x), &exponent);
        return std::ldexp(std::nearbyint(std::ldexp(fraction, 11)), exponent - 11);
      };
      return static_cast<float>(high(a) * high(b) + low_high * (a - high(a)) * high(b) +
                                high_low * high(a) * (b - high(b)));
    };
  };
  const auto says = [&](double low_high, double high_low) {
    return mistake_of(with_parts(low_high, high_low), Factors::uniform, Arithmetic::split);
  };
  EXPECT_EQ(says(0.0, 0.0), "; the products with a low part are missing");
  EXPECT_EQ(says(0.0, 1.0), "; the low parts of A times the high parts of B are missing");
  EXPECT_EQ(says(2048.0, 2048.0), "; the products with a low part count 2^11 times too much");
}

TEST(ProductMistakes, TermsInEqualStepsAreNumbered) {
  const auto every_eighth = [](const Product& product, std::size_t i, std::size_t j, std::size_t p) {
    return p % 8 == 7 ? 0.0f : right_term(product, i, j, p);
  };
  EXPECT_EQ(mistake_of(every_eighth), "; of every 8 terms, number 7 is missing");
}

TEST(ProductMistakes, MixedCountsAreListed) {
  const auto mixed = [](const Product& product, std::size_t i, std::size_t j, std::size_t p) {
    return right_term(product, i, j, p) * (p == 0 ? 2.0f : p == 5 || p == 11 ? 0.0f : 1.0f);
  };
  EXPECT_EQ(mistake_of(mixed),
            "; terms number 5, 11 of the 40 terms are missing, and the first of the 40 terms is counted twice");
}

TEST(ProductMistakes, CountsAreFoundInManyColumns) {
  constexpr std::size_t m = 40, n = 72, k = 37;
  const Product product = make_product(Factors::integers, m, n, k, 12345);
  std::vector<float> got(product.c);
  for (std::size_t e = 0; e < got.size(); ++e) {
    const float* const a = &product.a[e / n * k];
    got[e] += a[0] * product.b[e % n] - a[7] * product.b[7 * n + e % n];
  }
  EXPECT_EQ(known_mistake(product, {}, got, Arithmetic::float32),
            "; term number 7 of the 37 terms is missing, and the first of the 37 terms is counted twice");
}

TEST(ProductMistakes, FactorsOfOtherTermsAreTold) {
  const auto next = [](const Product& product, std::size_t i, std::size_t j, std::size_t p) {
    return p + 1 < kTerms ? product.a[i * kTerms + p] * product.b[(p + 1) * kColumns + j] : 0.0f;
  };
  EXPECT_NE(mistake_of(next).find("the term of B that is 1 further on"), std::string::npos) << mistake_of(next);
}

TEST(ProductMistakes, ExchangedHalvesOfTermsAreTold) {
  const auto other_half = [](const Product& product, std::size_t i, std::size_t j, std::size_t p) {
    return product.a[i * kTerms + p] * product.b[(p ^ 4) * kColumns + j];
  };
  EXPECT_EQ(mistake_of(other_half),
            "; of each 8 terms, the first 4 of A are multiplied with the last 4 of B, and the other way round");
}

TEST(ProductMistakes, NothingIsSaidOfZeros) {
  EXPECT_EQ(mistake_of([](const Product&, std::size_t, std::size_t, std::size_t) { return 0.0f; }), "");
}

TEST(ProductMistakes, RowsOfAnotherPlaceAreTold) {
  const auto row = [](const Product& product, std::size_t i, std::size_t j, std::size_t p) {
    return right_term(product, i == 2 ? 5 : i, j, p);
  };
  EXPECT_EQ(mistake_of(row), "; each wrong element holds what belongs 3 rows further on");
}

TEST(ProductMistakes, AFactorThatIsCutIsNamed) {
  const auto cut = [](float number, std::uint32_t half) {
    std::uint32_t word = 0;
    std::memcpy(&word, &number, sizeof word);
    word = (word + half) & ~0u << 13;
    std::memcpy(&number, &word, sizeof word);
    return number;
  };
  const auto of = [&](std::uint32_t half_of_a, std::uint32_t half_of_b) {
    const auto term = [=](const Product& product, std::size_t i, std::size_t j, std::size_t p) {
      return cut(product.a[i * kTerms + p], half_of_a) * cut(product.b[p * kColumns + j], half_of_b);
    };
    return mistake_of(term, Factors::adverse, Arithmetic::tf32);
  };
  constexpr std::uint32_t kRounds = 1u << 12;
  EXPECT_EQ(of(0, 0), "; it is the product of factors that are cut to eleven bits, not rounded");
  const std::string of_b =
      "; it is the product of an A that is rounded, and of a B that is cut to eleven bits, not rounded";
  EXPECT_EQ(of(kRounds, 0), of_b);
}

TEST(ProductMistakes, AScalingThatIsNotAppliedIsNamed) {
  const Scaling scaling{-2.0f, 0.5f};
  const Product product = make_product(Factors::integers, kRows, kColumns, kTerms, 5, scaling);
  const auto of = [&](float of_product, float of_c) {
    std::vector<float> got(kRows * kColumns);
    for (std::size_t e = 0; e < got.size(); ++e) {
      for (std::size_t p = 0; p < kTerms; ++p) got[e] += right_term(product, e / kColumns, e % kColumns, p);
      got[e] = of_product * got[e] + of_c * product.before[e];
    }
    return known_mistake(product, scaling, got, Arithmetic::float32);
  };
  EXPECT_EQ(of(-2.0f, 0.5f), "");
  EXPECT_EQ(of(-2.0f, 0.0f), "; beta * C is missing");
  EXPECT_EQ(of(-2.0f, 1.0f), "; C is added, and not multiplied by beta");
  EXPECT_EQ(of(1.0f, 0.5f), "; the product is not multiplied by alpha");
  EXPECT_EQ(of(-2.0f, -1.0f), "; alpha counts for C, too, and should count for the product alone");
  EXPECT_EQ(of(4.0f, 0.5f), "; alpha counts twice");
  EXPECT_EQ(of(0.0f, 0.5f), "; the product is missing: it is beta * C alone");
  EXPECT_EQ(of(-4.0f, 0.5f), "; each product is added twice");
}

TEST(ProductMistakes, WhatSeveralMistakesExplainIsNotTold) {
  const Product product = make_product(Factors::integers, 1, 1, kTerms, 5);
  EXPECT_EQ(known_mistake(product, {}, {product.c[0] + 12345.0f}, Arithmetic::float32), "");
}

}  // namespace
}  // namespace workbook
