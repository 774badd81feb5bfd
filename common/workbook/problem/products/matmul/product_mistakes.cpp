// SPDX-License-Identifier: MIT
#include "workbook/problem/products/matmul/product_mistakes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <numeric>
#include <utility>

namespace workbook {
namespace {

constexpr std::size_t kMostTerms = 10'000'000;                        // of all elements
constexpr std::size_t kLongestRange = 2'000, kLargestPeriod = 1'024;  // terms
constexpr std::size_t kPrime = 1'000'003;
constexpr std::size_t kMostCounts = 128;  // of the terms of a sum

double cut_to_11_bits(float number) {
  std::uint32_t word = 0;
  std::memcpy(&word, &number, sizeof word);
  word &= ~0u << 13;
  std::memcpy(&number, &word, sizeof word);
  return number;
}

double nearest_of_11_bits(float number) {
  int exponent = 0;
  const double fraction = std::frexp(static_cast<double>(number), &exponent);
  return std::ldexp(std::round(std::ldexp(fraction, 11)), exponent - 11);
}

// As a half has it: of two that are as near, the even one.
double high_part(float number) {
  int exponent = 0;
  const double fraction = std::frexp(static_cast<double>(number), &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, 11)), exponent - 11);
}

class Mistakes {
 public:
  Mistakes(const Product& product, const Scaling& scaling, const std::vector<float>& got, Arithmetic arithmetic)
      : product_(product), alpha_(scaling.alpha), beta_(scaling.beta), got_(got), arithmetic_(arithmetic) {
    for (std::size_t e = 0; e < got.size(); ++e) {
      if (!(std::abs(static_cast<double>(got[e]) - product.c[e]) <= product.bounds[e])) wrong_.push_back(e);
    }
  }

  std::string first_that_holds() const {
    if (wrong_.size() < 2 || alpha_ == 0.0 || product_.m * product_.n * product_.k > kMostTerms) return "";
    for (const std::size_t e : wrong_) {
      if (!std::isfinite(got_[e]) || !std::isfinite(product_.c[e])) return "";
    }
    const bool are_zeros = std::all_of(wrong_.begin(), wrong_.end(), [&](std::size_t e) { return got_[e] == 0.0f; });
    if (are_zeros) return "";  // many mistakes leave 0
    for (const auto ask :
         {&Mistakes::doubled, &Mistakes::other_scaling, &Mistakes::cut_factors, &Mistakes::other_parts,
          &Mistakes::other_place, &Mistakes::other_terms, &Mistakes::range_of_terms, &Mistakes::counts_of_terms}) {
      if (const std::string found = (this->*ask)(); !found.empty()) return "; " + found;
    }
    return "";
  }

 private:
  double before(std::size_t e) const { return product_.before.empty() ? 0.0 : product_.before[e]; }
  double term(std::size_t e, std::size_t p, std::size_t of_b) const {
    return static_cast<double>(product_.a[e / product_.n * product_.k + p]) *
           static_cast<double>(product_.b[of_b * product_.n + e % product_.n]);
  }
  double term(std::size_t e, std::size_t p) const { return term(e, p, p); }
  double sum(std::size_t e) const {
    double result = 0.0;
    for (std::size_t p = 0; p < product_.k; ++p) result += term(e, p);
    return result;
  }
  // Another number than the right one has another size, and so a somewhat larger bound.
  double tolerance(std::size_t e) const { return 4.0 * static_cast<double>(product_.bounds[e]); }

  /// Whether each wrong element is what `value` says.
  bool explains(const std::function<double(std::size_t e)>& value) const {
    for (const std::size_t e : wrong_) {
      const double most = tolerance(e), is = value(e);
      if (most == 0.0 ? static_cast<float>(is) != got_[e] : !(std::abs(is - static_cast<double>(got_[e])) <= most))
        return false;
    }
    return true;
  }

  std::string doubled() const {
    if (alpha_ != 1.0 || beta_ != 0.0) return "";  // see other_scaling()
    const auto twice = [&](std::size_t e) { return 2.0 * static_cast<double>(product_.c[e]); };
    return explains(twice) ? "each element is twice what it should be: is each product added twice?" : "";
  }

  std::string other_scaling() const {
    if (alpha_ == 1.0 && beta_ == 0.0) return "";
    struct Row {
      double of_product, of_c;
      const char* text;
    };
    const Row rows[] = {
        {alpha_, 0.0, "beta * C is missing"},
        {alpha_, 1.0, "C is added, and not multiplied by beta"},
        {1.0, beta_, "the product is not multiplied by alpha"},
        {alpha_, alpha_ * beta_, "alpha counts for C, too, and should count for the product alone"},
        {alpha_ * alpha_, beta_, "alpha counts twice"},
        {alpha_ * beta_, beta_, "beta counts for the product, too, and should count for C alone"},
        {beta_, alpha_, "alpha and beta have changed places"},
        {0.0, beta_, "the product is missing: it is beta * C alone"},
        {2.0 * alpha_, beta_, "each product is added twice"},
    };
    std::string found;
    for (const Row& row : rows) {
      if (!explains([&](std::size_t e) { return row.of_product * sum(e) + row.of_c * before(e); })) continue;
      if (!found.empty()) return "";  // with this alpha and beta, both are the same
      found = row.text;
    }
    return found;
  }

  std::string cut_factors() const {
    if (arithmetic_ != Arithmetic::tf32) return "";
    struct Row {
      bool of_a, of_b;
      const char* text;
    };
    const Row rows[] = {
        {true, true, "it is the product of factors that are cut to eleven bits, not rounded"},
        {true, false, "it is the product of an A that is cut to eleven bits, not rounded, and of a B that is rounded"},
        {false, true, "it is the product of an A that is rounded, and of a B that is cut to eleven bits, not rounded"},
    };
    for (const Row& row : rows) {
      const auto product_of_cut = [&](std::size_t e) {
        double result = 0.0;
        for (std::size_t p = 0; p < product_.k; ++p) {
          const float a = product_.a[e / product_.n * product_.k + p], b = product_.b[p * product_.n + e % product_.n];
          result += (row.of_a ? cut_to_11_bits(a) : nearest_of_11_bits(a)) *
                    (row.of_b ? cut_to_11_bits(b) : nearest_of_11_bits(b));
        }
        return result;
      };
      // The bound of tf32 is for one cut factor at least; here only the sums are rounded.
      if (explains_closely(product_of_cut)) return row.text;
    }
    return "";
  }
  // A number is a high part of eleven bits and a low part, the rest. The low parts count 2^11 times less.
  std::string other_parts() const {
    if (arithmetic_ != Arithmetic::split) return "";
    struct Row {
      double low_high, high_low;  // how often these products count
      const char* text;
    };
    const Row rows[] = {
        {0.0, 1.0, "the low parts of A times the high parts of B are missing"},
        {1.0, 0.0, "the high parts of A times the low parts of B are missing"},
        {0.0, 0.0, "the products with a low part are missing"},
        {2048.0, 2048.0, "the products with a low part count 2^11 times too much"},
        {0x1p-11, 0x1p-11, "the products with a low part count 2^11 times too little"},
    };
    for (const Row& row : rows) {
      const auto is_of_parts = [&](std::size_t e) {
        double result = 0.0, size = 0.0;
        for (std::size_t p = 0; p < product_.k; ++p) {
          const float a = product_.a[e / product_.n * product_.k + p], b = product_.b[p * product_.n + e % product_.n];
          const double high_a = high_part(a), high_b = high_part(b);
          result += high_a * high_b + row.low_high * (a - high_a) * high_b + row.high_low * high_a * (b - high_b);
          size += std::abs(static_cast<double>(a) * b);
        }
        return std::abs(result - static_cast<double>(got_[e])) <= 0x1p-19 * size;
      };
      if (std::all_of(wrong_.begin(), wrong_.end(), is_of_parts)) return row.text;
    }
    return "";
  }
  bool explains_closely(const std::function<double(std::size_t e)>& value) const {
    for (const std::size_t e : wrong_) {
      const double is = value(e);
      if (!(std::abs(is - static_cast<double>(got_[e])) <= 0x1p-19 * std::abs(is))) return false;
    }
    return true;
  }

  // Each element is right, and lies some rows or columns away from its place.
  std::string other_place() const {
    if (beta_ != 0.0) return "";
    const auto moved = [&](std::ptrdiff_t rows, std::ptrdiff_t columns) {
      const auto m = static_cast<std::ptrdiff_t>(product_.m), n = static_cast<std::ptrdiff_t>(product_.n);
      for (const std::size_t e : wrong_) {
        const auto i = static_cast<std::ptrdiff_t>(e) / n + rows, j = static_cast<std::ptrdiff_t>(e) % n + columns;
        if (i < 0 || j < 0 || i >= m || j >= n || got_[e] != product_.c[static_cast<std::size_t>(i * n + j)])
          return false;
      }
      return true;
    };
    const auto further = [](std::ptrdiff_t by, const char* what) {
      return "each wrong element holds what belongs " + std::to_string(std::abs(by)) + " " + what +
             (std::abs(by) == 1 ? "" : "s") + (by > 0 ? " further on" : " before it");
    };
    for (std::ptrdiff_t by = 1; by < 256; ++by) {
      for (const std::ptrdiff_t signed_by : {by, -by}) {
        if (moved(signed_by, 0)) return further(signed_by, "row");
        if (moved(0, signed_by)) return further(signed_by, "column");
      }
    }
    return "";
  }

  // A's term p is multiplied with B's term p + by, or p ^ half.
  std::string other_terms() const {
    for (const std::ptrdiff_t by : {1, -1, 2, -2, 4, -4, 8, -8, 16, -16, 32, -32}) {
      const auto moved = [by](std::size_t p) { return static_cast<std::ptrdiff_t>(p) + by; };
      if (meets(moved)) {
        return "each term of A is multiplied with the term of B that is " + std::to_string(std::abs(by)) +
               (by > 0 ? " further on" : " before it") + ": do both factors take the same term?";
      }
    }
    for (const std::size_t half : std::initializer_list<std::size_t>{1, 2, 4, 8, 16}) {
      const auto exchanged = [half](std::size_t p) { return static_cast<std::ptrdiff_t>(p ^ half); };
      if (meets(exchanged)) {
        const std::string h = std::to_string(half);
        std::string text = "of each " + std::to_string(2 * half);
        text.append(" terms, the first ").append(h).append(" of A are multiplied with the last ").append(h);
        return text.append(" of B, and the other way round");
      }
    }
    return "";
  }
  // Whether term p of A meets term of_b(p) of B, where there is one.
  bool meets(const std::function<std::ptrdiff_t(std::size_t p)>& of_b) const {
    return explains([&](std::size_t e) {
      double result = 0.0;
      for (std::size_t p = 0; p < product_.k; ++p) {
        const std::ptrdiff_t q = of_b(p);
        if (q >= 0 && q < static_cast<std::ptrdiff_t>(product_.k)) result += term(e, p, static_cast<std::size_t>(q));
      }
      return alpha_ * result + beta_ * before(e);
    });
  }

  // The same terms of each wrong element are missing, or are counted twice: neighbours, or neighbours in each period.
  std::string range_of_terms() const {
    std::string found;
    for (std::size_t period = 2; period <= kLargestPeriod && period < product_.k; period *= 2) {
      if (!add_ranges(period, found)) return "";
    }
    return product_.k > kLongestRange || add_ranges(product_.k, found) ? found : "";
  }

  // False: two different ranges explain the elements, so neither is sure.
  bool add_ranges(std::size_t period, std::string& found) const {
    const std::size_t e = wrong_.front();
    std::vector<double> up_to(period + 1, 0.0);  // the sum of the terms at the first places of each period
    for (std::size_t p = 0; p < product_.k; ++p) up_to[p % period + 1] += alpha_ * term(e, p);
    std::partial_sum(up_to.begin(), up_to.end(), up_to.begin());
    const double lacks = static_cast<double>(product_.c[e]) - static_cast<double>(got_[e]);
    for (std::size_t first = 0; first < period; ++first) {
      for (std::size_t end = first + 1; end <= period; ++end) {
        const double range = up_to[end] - up_to[first];
        if (!(std::abs(std::abs(range) - std::abs(lacks)) <= tolerance(e))) continue;
        const double sign = range * lacks > 0.0 ? 1.0 : -1.0;
        const auto changed = [&](std::size_t other) {
          double result = product_.c[other];
          for (std::size_t begin = 0; begin < product_.k; begin += period) {
            for (std::size_t p = begin + first; p < std::min(begin + end, product_.k); ++p)
              result -= sign * alpha_ * term(other, p);
          }
          return result;
        };
        if (!explains(changed)) continue;
        const std::string text = text_of_range(period, first, end) + (sign > 0.0 ? " missing" : " counted twice");
        if (!found.empty() && found != text) return false;
        found = text;
      }
    }
    return true;
  }

  std::string text_of_range(std::size_t period, std::size_t first, std::size_t end) const {
    std::vector<std::size_t> places(end - first);
    std::iota(places.begin(), places.end(), first);
    const char* const are = places.size() == 1 ? " is" : " are";
    if (period == product_.k) return text_of_terms(places) + are;
    const std::string of = "of every " + std::to_string(period) + " terms, ";
    if (places.size() == 1) return of + "number " + std::to_string(first) + are;
    return of + "numbers " + std::to_string(first) + " to " + std::to_string(end - 1) + are;
  }

  // How often each term counts, if it is as often in each wrong element: the solution of a linear system, rounded.
  std::string counts_of_terms() const {
    const std::size_t k = product_.k;
    if (k > kMostCounts || wrong_.size() < k + 8) return "";
    std::vector<double> counts = solve_for_counts();
    if (counts.empty()) return "";
    for (double& count : counts) count = std::round(count);
    const auto counted = [&](std::size_t e) {
      double result = 0.0;
      for (std::size_t p = 0; p < k; ++p) result += counts[p] * term(e, p);
      return alpha_ * result + beta_ * before(e);
    };
    if (!explains(counted)) return "";
    std::string text;
    for (const double count : {0.0, 2.0, 3.0}) {
      std::vector<std::size_t> places;
      for (std::size_t p = 0; p < k; ++p) {
        if (counts[p] == count) places.push_back(p);
      }
      if (places.empty()) continue;
      const char* const state = count == 0.0 ? "missing" : count == 2.0 ? "counted twice" : "counted three times";
      text += (text.empty() ? "" : ", and ") + text_of_terms(places) + (places.size() == 1 ? " is " : " are ") + state;
    }
    return text;
  }

  // The least squares solution for the counts, from some of the wrong elements. Empty where it is not sure.
  std::vector<double> solve_for_counts() const {
    const std::size_t k = product_.k, most = std::min(wrong_.size(), 4 * k + 8);
    std::vector<std::vector<double>> rows(k, std::vector<double>(k + 1, 0.0));
    std::vector<double> terms(k);
    for (std::size_t w = 0; w < most; ++w) {
      const std::size_t e = wrong_[w * kPrime % wrong_.size()];  // of many rows and columns
      for (std::size_t p = 0; p < k; ++p) terms[p] = alpha_ * term(e, p);
      const double result = static_cast<double>(got_[e]) - beta_ * before(e);
      for (std::size_t p = 0; p < k; ++p) {
        for (std::size_t q = 0; q < k; ++q) rows[p][q] += terms[p] * terms[q];
        rows[p][k] += terms[p] * result;
      }
    }
    for (std::size_t p = 0; p < k; ++p) {  // Gauss-Jordan with pivots
      const auto larger = [p](const auto& x, const auto& y) { return std::abs(x[p]) < std::abs(y[p]); };
      std::swap(rows[p], *std::max_element(rows.begin() + static_cast<std::ptrdiff_t>(p), rows.end(), larger));
      if (rows[p][p] == 0.0) return {};
      for (std::size_t r = 0; r < k; ++r) {
        const double factor = r == p ? 0.0 : rows[r][p] / rows[p][p];
        for (std::size_t q = p; factor != 0.0 && q <= k; ++q) rows[r][q] -= factor * rows[p][q];
      }
    }
    std::vector<double> counts(k);
    for (std::size_t p = 0; p < k; ++p) counts[p] = rows[p][k] / rows[p][p];
    return counts;
  }

  // "the last 8 of the 40 terms"
  std::string text_of_terms(const std::vector<std::size_t>& places) const {
    const std::size_t count = places.size(), first = places.front(), k = product_.k;
    const std::string all = " of the " + std::to_string(k) + " terms";
    if (count == k) return "all terms";
    if (places.back() - first + 1 == count) {
      const std::string number = count == 1 ? "" : " " + std::to_string(count);
      if (first == 0) return "the first" + number + all;
      if (places.back() + 1 == k) return "the last" + number + all;
      if (count == 1) return "term number " + std::to_string(first) + all;
      return "terms number " + std::to_string(first) + " to " + std::to_string(places.back()) + all;
    }
    std::string list = "terms number";
    for (std::size_t i = 0; i < std::min<std::size_t>(count, 4); ++i)
      list += (i == 0 ? " " : ", ") + std::to_string(places[i]);
    return list + (count > 4 ? " and so on, " + std::to_string(count) + all + "," : all);
  }

  const Product& product_;
  const double alpha_, beta_;
  const std::vector<float>& got_;
  const Arithmetic arithmetic_;
  std::vector<std::size_t> wrong_;
};

}  // namespace

std::string known_mistake(const Product& product, const Scaling& scaling, const std::vector<float>& got,
                          Arithmetic arithmetic) {
  return Mistakes(product, scaling, got, arithmetic).first_that_holds();
}

}  // namespace workbook
