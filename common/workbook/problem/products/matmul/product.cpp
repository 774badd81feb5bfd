// SPDX-License-Identifier: MIT
// The reference in double, with its bound.
#include "workbook/problem/products/matmul/product.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "workbook/case/changed_element.h"
#include "workbook/problem/generator.h"

namespace workbook {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

void cut(std::vector<float>& numbers, unsigned bits) {
  for (float& number : numbers) {
    std::uint32_t word = 0;
    std::memcpy(&word, &number, sizeof word);
    word &= ~0u << (24 - bits);
    std::memcpy(&number, &word, sizeof word);
  }
}

// The distance of each number from the nearest one of 11 bits.
std::vector<float> lost_to_tf32(const std::vector<float>& numbers) {
  std::vector<float> lost(numbers);
  cut(lost, 11);
  std::transform(numbers.begin(), numbers.end(), lost.begin(), lost.begin(), [](float number, float below) {
    int exponent = 0;
    std::frexp(below, &exponent);
    const float behind = std::abs(number - below);
    return std::min(behind, std::ldexp(1.0f, exponent - 11) - behind);
  });
  return lost;
}

// Changes balanced factors: element (i, term) of A, and (term, j) of B.
template <typename OfA, typename OfB>
void change(Product& product, OfA of_a, OfB of_b) {
  for (std::size_t at = 0; at < product.a.size(); ++at) of_a(product.a[at], at / product.k, at % product.k);
  for (std::size_t at = 0; at < product.b.size(); ++at) of_b(product.b[at], at / product.n, at % product.n);
}

void make_wide(std::size_t first, Product& product) {
  const std::size_t of_a = first % product.k, of_b = (first + 1) % product.k;
  const auto large = [](float number, std::size_t line) {
    return std::ldexp(number < 0.0f ? -1.0f : 1.0f, 16 + static_cast<int>(line % 32));
  };
  change(
      product,
      [&](float& number, std::size_t i, std::size_t term) {
        if (term == of_b) number = 0.0f;
        if (term == of_a) number = large(number, i);
      },
      [&](float& number, std::size_t term, std::size_t j) {
        if (term == of_a) number = 0.0f;
        if (term == of_b && of_a != of_b) number = large(number, j);
      });
}

void make_special(Product& product) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  change(
      product,
      [&](float& number, std::size_t i, std::size_t term) {
        constexpr float kSpecials[] = {kInfinity, -kInfinity, kNan, 0.0f};
        if (i % 2 != 0 && term == i * 7 % product.k) number = kSpecials[i / 2 % 4];
      },
      [&](float& number, std::size_t term, std::size_t j) {
        if (j % 3 == 0 && term % 4 == 0) number = 0.0f;
        if (j % 7 == 1 && term == j * 5 % product.k) number = kInfinity;
      });
}

void make_pairs(Factors factors, std::uint32_t seed, Product& product) {
  constexpr float kScalesOfRows[] = {0x1p127f, 1.0f, 0x1p-130f, 0.0f},
                  kScalesOfColumns[] = {0x1p-126f, 0x1p-20f, 0x1p-4f};
  switch (factors) {
    case Factors::scaled:
      change(
          product, [](float& number, std::size_t i, std::size_t) { number *= scale_of_line(i); },
          [](float& number, std::size_t, std::size_t j) { number *= scale_of_line(j); });
      break;
    case Factors::terms:
      change(
          product,
          [](float& number, std::size_t i, std::size_t term) { number *= scale_of_line(i) * scale_of_term(term); },
          [](float& number, std::size_t term, std::size_t j) { number *= scale_of_line(j) / scale_of_term(term); });
      break;
    case Factors::steep:
      change(
          product,
          [](float& number, std::size_t, std::size_t term) {
            number = term == 0 ? 0x1p12f : 1.5f - 0x1p-10f - 0x1p-20f * std::abs(number);
          },
          [](float& number, std::size_t term, std::size_t) { number = term == 0 ? 0x1p12f : 1.0f; });
      break;
    case Factors::extreme:
      change(
          product, [&](float& number, std::size_t i, std::size_t) { number *= kScalesOfRows[i % 4]; },
          [&](float& number, std::size_t, std::size_t j) { number *= kScalesOfColumns[j % 3]; });
      break;
    case Factors::wide:
      if (product.k > 0) make_wide(seed, product);
      break;
    case Factors::special:
      if (product.k > 0) make_special(product);
      break;
    default:
      break;
  }
}

void fill_factors(Factors factors, std::uint32_t seed, Arithmetic arithmetic, Product& product) {
  Generator generator(seed);
  const std::size_t n = product.n, k = product.k;
  fill_first_factor(factors, generator, product.a);
  fill_second_factor(factors, generator, n, 3, product.b);
  if (arithmetic != Arithmetic::float32 && (is_exact(factors) || factors == Factors::identity)) {
    cut(product.a, arithmetic == Arithmetic::tf32 ? 11 : 23);
  }
  make_pairs(factors, seed, product);
  if (factors != Factors::one_hot || product.m * n * k == 0) return;
  const std::size_t place = seed % (product.m * n * k), term = place % k;
  product.a[place / k / n * k + term] = 1.0f;
  product.b[term * n + place / k % n] = 1.0f;
}

void fill_before(Factors factors, std::uint32_t seed, Product& product) {
  Generator generator(seed + 1);
  product.before.resize(product.m * product.n);
  for (float& element : product.before) {
    const auto bits = static_cast<std::uint32_t>(generator());
    const float unit = static_cast<float>(bits >> 8) * 0x1p-24f;
    element = factors == Factors::uniform    ? unit
              : factors == Factors::balanced ? 2.0f * unit - 1.0f
                                             : static_cast<float>(static_cast<int>(bits >> 20) - 2048);
  }
}

// Whether every order of the operations gives the same element, because none of them rounds.
class Exactness {
 public:
  Exactness(Factors factors, Scaling scaling)
      : is_whole_(factors == Factors::integers || factors == Factors::places || factors == Factors::one_hot),
        has_one_term_(factors == Factors::places || factors == Factors::identity || factors == Factors::one_hot),
        scaling_(scaling) {}

  // The argument `size`: |alpha| sum |a b| + |beta c|.
  bool holds_for(double size, std::size_t k) const {
    const float alpha = scaling_.alpha, beta = scaling_.beta;
    if (alpha == 0.0f || k == 0) return true;  // beta * c, which every order rounds once
    int exponent = 0;
    if (has_one_term_ && beta == 0.0f && std::abs(std::frexp(alpha, &exponent)) == 0.5f) return true;
    if (!is_whole_ || !is_whole(2.0f * alpha) || !is_whole(2.0f * beta)) return false;
    return size <= (is_whole(alpha) && is_whole(beta) ? 0x1p24 : 0x1p23);
  }

 private:
  static bool is_whole(float number) { return number == std::floor(number); }

  bool is_whole_, has_one_term_;
  Scaling scaling_;
};

// Computes C row by row, in the order i, k, j. So it reads each row of B from its beginning to its end, and one row of
// C stays in the cache.
void fill_reference(Factors factors, Scaling scaling, Arithmetic arithmetic, Product& product) {
  const std::size_t m = product.m, n = product.n, k = product.k;
  // Without terms alpha has nothing to multiply, also where it is infinite.
  const double alpha = k == 0 ? 0.0 : static_cast<double>(scaling.alpha), beta = scaling.beta;
  const Exactness exactness(factors, scaling);
  const bool loses = arithmetic == Arithmetic::tf32;
  const std::vector<float> lost_of_a = lost_to_tf32(loses ? product.a : std::vector<float>()),
                           lost_of_b = lost_to_tf32(loses ? product.b : std::vector<float>());
  std::vector<double> sums(n), sizes(n), lost(n);
  for (std::size_t i = 0; i < m; ++i) {
    std::fill(sums.begin(), sums.end(), 0.0);
    std::fill(sizes.begin(), sizes.end(), 0.0);
    std::fill(lost.begin(), lost.end(), 0.0);
    for (std::size_t p = 0; p < (alpha == 0.0 ? 0 : k); ++p) {
      const double factor = product.a[i * k + p];
      const float* const row = product.b.data() + p * n;
      for (std::size_t j = 0; j < n; ++j) {
        const double term = factor * row[j];
        sums[j] += term;
        sizes[j] += std::abs(term);
      }
      for (std::size_t j = 0; j < (loses ? n : 0); ++j) {
        const double of_a = lost_of_a[i * k + p], of_b = lost_of_b[p * n + j];
        lost[j] += of_a * std::abs(row[j]) + (std::abs(factor) + of_a) * of_b;
      }
    }
    for (std::size_t j = 0; j < n; ++j) {
      const double before = beta == 0.0 ? 0.0 : beta * product.before[i * n + j];
      const double value = alpha * sums[j] + before, size = std::abs(alpha) * sizes[j] + std::abs(before);
      product.c[i * n + j] = static_cast<float>(value);
      const bool is_exact = exactness.holds_for(size, k) || !std::isfinite(value);
      product.bounds[i * n + j] = is_exact
                                      ? 0.0f
                                      : static_cast<float>(bound_of_product(arithmetic, scaling.roundings(k), value,
                                                                            size, std::abs(alpha) * lost[j]));
    }
  }
}

}  // namespace

double bound_of_product(Arithmetic arithmetic, std::size_t k, double sum, double size, double lost) {
  switch (arithmetic) {
    case Arithmetic::tf32:
      return lost + bound_of_any_order(k + 8, sum, size);
    case Arithmetic::split:
      return bound_of_any_order((k + 15) / 16 + k / 512 + 24, sum, size) + 0x1p-149;
    default:
      return bound_of_any_order(k, sum, size);
  }
}

Product make_product(Factors factors, std::size_t m, std::size_t n, std::size_t k, std::uint32_t seed, Scaling scaling,
                     Arithmetic arithmetic, const std::optional<std::uint64_t>& changed) {
  Product product{m,
                  n,
                  k,
                  std::vector<float>(m * k),
                  std::vector<float>(k * n),
                  {},
                  std::vector<float>(m * n),
                  std::vector<float>(m * n)};
  if (scaling.alpha == 0.0f) {
    for (std::vector<float>* matrix : {&product.a, &product.b}) std::fill(matrix->begin(), matrix->end(), kNan);
  } else {
    fill_factors(factors, seed, arithmetic, product);
    if (factors != Factors::identity) product.a = with_change(std::move(product.a), changed);
  }
  if (scaling.beta != 0.0f) fill_before(factors, seed, product);
  fill_reference(factors, scaling, arithmetic, product);
  return product;
}

std::vector<float> transposed(const std::vector<float>& matrix, std::size_t rows, std::size_t columns) {
  std::vector<float> turned(matrix.size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) turned[j * rows + i] = matrix[i * columns + j];
  }
  return turned;
}

}  // namespace workbook
