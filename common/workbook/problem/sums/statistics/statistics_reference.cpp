// SPDX-License-Identifier: MIT
// The references, one function for each kind of statistic, and the sentence for a result that does not match.
#include "workbook/problem/sums/statistics/statistics_reference.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "workbook/judge/compensated_sum.h"
#include "workbook/judge/number_text.h"

namespace workbook {
namespace {

constexpr double kDoubleRoundoff = 0x1p-53;
template <typename T>
constexpr double kRoundoff = std::is_same_v<T, float> ? 0x1p-24 : kDoubleRoundoff;

template <typename T>
using Pieces = std::vector<Piece<T>>;

// Calls visit(x, times) for each number of each piece.
template <typename T, typename Visit>
void for_each(const Pieces<T>& pieces, Visit visit) {
  for (const Piece<T>& piece : pieces) {
    for (std::size_t i = 0; i < piece.count; ++i) visit(piece.numbers[i], piece.times);
  }
}

// The int of unsigned arithmetic, modulo 2^32.
double as_int(std::uint32_t bits) { return static_cast<double>(static_cast<std::int32_t>(bits)); }

template <typename T>
void set_sum(const Pieces<T>& pieces, Statistic& statistic) {
  if constexpr (std::is_integral_v<T>) {
    std::uint32_t sum = 0;
    for_each(pieces,
             [&](T x, std::size_t times) { sum += static_cast<std::uint32_t>(x) * static_cast<std::uint32_t>(times); });
    statistic.value = as_int(sum);
  } else {
    constexpr double kExactLimit = std::is_same_v<T, float> ? 0x1p24 : 0x1p53;
    double magnitudes = 0.0;
    bool integers = true;
    CompensatedSum sum;
    for (const Piece<T>& piece : pieces) {
      CompensatedSum part;
      for_each<T>({{piece.numbers, piece.count}}, [&](T x, std::size_t) {
        part.add(x);
        magnitudes += std::fabs(static_cast<double>(x)) * static_cast<double>(piece.times);
        integers = integers && x == std::trunc(x);
      });
      for (std::size_t i = 0; i < piece.times; ++i) sum.add(part.value());
    }
    statistic.value = sum.value();
    if (integers && magnitudes <= kExactLimit) return;
    statistic.unit = kRoundoff<T> * magnitudes;
    statistic.bound = 2.0 * addition_depth(statistic.size) * statistic.unit;
  }
}

// A product with a correction for its roundings (compensated product). T. Ogita, S. Rump, S. Oishi, SIAM J. Sci.
// Comput. 26, 2005. S. Graillat, IEEE Trans. Computers 58, 2009.
class CompensatedProduct {
 public:
  void multiply(double x) {
    const double next = product_ * x;
    lost_ = lost_ * x + std::fma(product_, x, -next);
    product_ = next;
  }
  double value() const { return std::isfinite(product_) ? product_ + lost_ : product_; }

 private:
  double product_ = 1.0;
  double lost_ = 0.0;
};

template <typename T>
void set_product(const Pieces<T>& pieces, Statistic& statistic) {
  if constexpr (std::is_integral_v<T>) {
    std::uint32_t product = 1;
    for (const Piece<T>& piece : pieces) {
      std::uint32_t part = 1;
      for (std::size_t i = 0; i < piece.count; ++i) part *= static_cast<std::uint32_t>(piece.numbers[i]);
      for (std::size_t i = 0; i < piece.times; ++i) product *= part;
    }
    statistic.value = as_int(product);
  } else {
    constexpr double kExactExponents = 100.0;
    double exponents = 0.0;  // The sum of their absolute values; infinite where a number is no power of two.
    CompensatedProduct product;
    for (const Piece<T>& piece : pieces) {
      CompensatedProduct part;
      for (std::size_t i = 0; i < piece.count; ++i) {
        int exponent = 0;
        const bool power = std::fabs(std::frexp(piece.numbers[i], &exponent)) == T{0.5};
        exponents += power ? std::abs(exponent - 1) * static_cast<double>(piece.times) : HUGE_VAL;
        part.multiply(piece.numbers[i]);
      }
      for (std::size_t i = 0; i < piece.times; ++i) product.multiply(part.value());
    }
    statistic.value = product.value();
    if (exponents <= kExactExponents || statistic.size <= 1) return;
    const double n = static_cast<double>(statistic.size);
    statistic.unit = kRoundoff<T> * std::fabs(statistic.value);
    statistic.bound = 1.01 * std::min(n - 1.0, 8.0 * std::sqrt(n)) * statistic.unit;
  }
}

template <typename T>
void set_extreme(const Pieces<T>& pieces, bool largest, Statistic& statistic) {
  using Limits = std::numeric_limits<T>;
  const double most = Limits::has_infinity ? HUGE_VAL : static_cast<double>(Limits::max());
  const double least = Limits::has_infinity ? -HUGE_VAL : static_cast<double>(Limits::lowest());
  statistic.value = largest ? least : most;
  for_each(pieces, [&](T number, std::size_t) {
    const double x = number;
    if (std::isnan(x) || (largest ? x > statistic.value : x < statistic.value)) statistic.value = x;
  });
}

template <typename T>
void set_moment(const Pieces<T>& pieces, bool deviation, Statistic& statistic) {
  const double n = static_cast<double>(statistic.size);
  double largest = 0.0;
  CompensatedSum sum;
  for_each(pieces, [&](T x, std::size_t times) {
    largest = std::max(largest, std::fabs(static_cast<double>(x)));
    sum.add(static_cast<double>(x) * static_cast<double>(times));
  });
  const double mean = sum.value() / n;
  statistic.value = mean;
  if (deviation) {
    // The mean is right except for its last bit, so its squared error needs no correction.
    CompensatedSum squares;
    for_each(pieces, [&](T x, std::size_t times) {
      const double from_mean = static_cast<double>(x) - mean;
      squares.add(from_mean * from_mean * static_cast<double>(times));
    });
    statistic.value = std::sqrt(squares.value() / n);
  }
  statistic.unit = kDoubleRoundoff * largest;
  statistic.bound = statistic.size <= 1 ? 0.0 : 8.0 * (addition_depth(statistic.size) + 1) * statistic.unit;
}

std::string reason_of(double got, const Verdict& verdict, const Statistic& reference) {
  const std::string name = name_of(reference.operation);
  if (std::isnan(reference.value)) return "the " + name + " of this input is NaN, and the result is " + plain(got, 9);
  if (std::isnan(got)) {
    return "the " + name + " is NaN (not a number), and should be " + plain(reference.value, 9) +
           ". Is anything read before it is written (such memory is filled with NaN here), or is there a 0 / 0, or the "
           "root of a negative number?";
  }
  return "the " + name + " is wrong: " + expected_and_got(reference.value, got, 9, verdict.bound);
}

}  // namespace

int addition_depth(std::size_t n) {
  if (n <= 1) return 0;
  int levels = 0;
  while (levels < 64 && (std::size_t{1} << levels) < n) ++levels;
  const std::size_t serial = n - 1;
  return static_cast<int>(std::min<std::size_t>(serial, static_cast<std::size_t>(levels + kSerialAdditions)));
}

const char* name_of(Operation operation) {
  switch (operation) {
    case Operation::sum:
      return "sum";
    case Operation::product:
      return "product";
    case Operation::minimum:
      return "min";
    case Operation::maximum:
      return "max";
    case Operation::mean:
      return "mean";
    case Operation::deviation:
      return "deviation";
  }
  return "unknown";
}

template <typename T>
Statistic reference_statistic(Operation operation, const std::vector<Piece<T>>& pieces) {
  Statistic statistic;
  statistic.operation = operation;
  for (const Piece<T>& piece : pieces) statistic.size += piece.count * piece.times;
  switch (operation) {
    case Operation::sum:
      set_sum(pieces, statistic);
      break;
    case Operation::product:
      set_product(pieces, statistic);
      break;
    case Operation::minimum:
      set_extreme(pieces, false, statistic);
      break;
    case Operation::maximum:
      set_extreme(pieces, true, statistic);
      break;
    case Operation::mean:
      set_moment(pieces, false, statistic);
      break;
    case Operation::deviation:
      set_moment(pieces, true, statistic);
      break;
  }
  if (!std::isfinite(statistic.value)) statistic.bound = statistic.unit = 0.0;
  return statistic;
}

template Statistic reference_statistic(Operation, const std::vector<Piece<float>>&);
template Statistic reference_statistic(Operation, const std::vector<Piece<double>>&);
template Statistic reference_statistic(Operation, const std::vector<Piece<int>>&);

Verdict check_statistic(double got, const Statistic& reference) {
  Verdict verdict;
  verdict.bound = reference.bound;
  const bool same = got == reference.value || (std::isnan(got) && std::isnan(reference.value));
  if (!same) {
    verdict.error = std::fabs(got - reference.value);
    verdict.relative_error = verdict.error / std::fabs(reference.value);
  }
  verdict.matches = same || verdict.error <= verdict.bound;  // false for NaN
  if (!verdict.matches) verdict.reason = reason_of(got, verdict, reference);
  return verdict;
}

}  // namespace workbook
