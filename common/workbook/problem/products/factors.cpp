// SPDX-License-Identifier: MIT
#include "workbook/problem/products/factors.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <set>

#include "workbook/judge/number_text.h"
#include "workbook/problem/generator.h"

namespace workbook {
namespace {

constexpr const char* kNames[] = {"uniform", "signed",  "integers",     "places", "identity", "one-hot", "scaled",
                                  "adverse", "halfway", "scaled-terms", "steep",  "wide",     "extreme", "special"};
constexpr std::size_t kExactTerms = 4096;                    // Terms of 12 bits each: together at most 2^24.
constexpr std::size_t kLargestPlace = std::size_t{1} << 24;  // The last place that a float represents exactly.
constexpr double kUnit = 0x1p-24;                            // The unit of rounding in float.

void fill_randomly(Factors factors, Generator& generator, std::vector<float>& numbers) {
  for (float& number : numbers) {
    const float unit = static_cast<float>(generator() >> 8) * 0x1p-24f;
    number = factors == Factors::uniform ? unit : 2.0f * unit - 1.0f;
  }
}

// Numbers just above a number of 8 bits (bf16), which is the nearest. The sum of two such numbers is smaller, too. A
// number of 11 bits (tf32) is smaller if the conversion cuts bits. Each of these losses is nearly the largest possible
// one.
void fill_adversely(Generator& generator, std::vector<float>& numbers) {
  for (float& number : numbers) {
    number = 1.0f + static_cast<float>(generator() >> 28) * 0x1p-7f + (0x1p-8f - 0x1p-17f - 0x1p-23f);
  }
}

// The nearest number of 11 bits (fp16) is smaller, by nearly half of the distance between two of them. The number of 11
// bits that is nearest to the rest is smaller by 2^-23.
void fill_halfway(Generator& generator, std::vector<float>& numbers) {
  for (float& number : numbers) {
    number = 1.0f + static_cast<float>(generator() >> 28) * 0x1p-10f + (0x1p-11f - 3 * 0x1p-23f);
  }
}

}  // namespace

const char* name_of(Factors factors) { return kNames[static_cast<std::size_t>(factors)]; }

Option factors_option(const std::string& help, Factors last) {
  return {"factors", help, {kNames, kNames + static_cast<std::size_t>(last) + 1}};
}

void fill_first_factor(Factors factors, Generator& generator, std::vector<float>& a) {
  switch (factors) {
    case Factors::uniform:
    case Factors::balanced:
    case Factors::scaled:
    case Factors::terms:
    case Factors::steep:
    case Factors::wide:
    case Factors::extreme:
    case Factors::special:
      fill_randomly(factors, generator, a);
      break;
    case Factors::adverse:
      fill_adversely(generator, a);
      break;
    case Factors::halfway:
      fill_halfway(generator, a);
      break;
    case Factors::integers:
      for (float& element : a) {
        const auto bits = static_cast<std::uint32_t>(generator());
        const float odd = static_cast<float>(bits % 4096 | 1);
        element = bits >> 31 == 0 ? odd : -odd;
      }
      break;
    case Factors::places:
      for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % kLargestPlace + 1);
      break;
    case Factors::identity:
      for (float& element : a) {
        const auto bits = static_cast<std::uint32_t>(generator());
        const float size = std::ldexp(1.0f + static_cast<float>(bits % (1u << 23)) * 0x1p-23f,
                                      static_cast<int>(generator() % 20) - 10);
        element = bits >> 31 == 0 ? size : -size;
      }
      break;
    case Factors::one_hot:
      std::fill(a.begin(), a.end(), 0.0f);
      break;
  }
}

void fill_second_factor(Factors factors, Generator& generator, std::size_t columns, std::size_t place,
                        std::vector<float>& b) {
  const std::size_t terms = columns == 0 ? 0 : b.size() / columns;
  switch (factors) {
    case Factors::uniform:
    case Factors::balanced:
    case Factors::scaled:
    case Factors::terms:
    case Factors::steep:
    case Factors::wide:
    case Factors::extreme:
    case Factors::special:
      fill_randomly(factors, generator, b);
      break;
    case Factors::adverse:
      fill_adversely(generator, b);
      break;
    case Factors::halfway:
      fill_halfway(generator, b);
      break;
    case Factors::integers: {
      const std::size_t step = (terms + kExactTerms - 1) / kExactTerms;  // the distance between rows that are not zero
      for (std::size_t i = 0; i < b.size(); ++i) {
        b[i] = i / columns % step == place % step ? static_cast<float>(static_cast<int>(generator() % 3) - 1) : 0.0f;
      }
      break;
    }
    case Factors::places:
      std::fill(b.begin(), b.end(), 0.0f);
      for (std::size_t j = 0; j < columns && terms > 0; ++j) b[(place + 5 * j) % terms * columns + j] = 1.0f;
      break;
    case Factors::identity:
      std::fill(b.begin(), b.end(), 0.0f);
      for (std::size_t i = 0; i < std::min(terms, columns); ++i) b[i * columns + i] = 1.0f;
      break;
    case Factors::one_hot:
      std::fill(b.begin(), b.end(), 0.0f);
      break;
  }
}

double bound_of_any_order(std::size_t terms, double sum, double size) {
  const double ku = static_cast<double>(terms) * kUnit;
  return ku / (1.0 - ku) * size + kUnit * std::abs(sum);
}

std::string text_of_product(std::uint32_t word, Factors factors, std::size_t rows, std::size_t columns) {
  float value = 0.0f;
  std::memcpy(&value, &word, sizeof value);
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
  const std::size_t size = rows * columns;
  const bool is_place = factors == Factors::places && value >= 1.0f && value <= static_cast<float>(size) &&
                        value == std::floor(value) && size <= kLargestPlace;
  if (!is_place) return text;
  const auto place = static_cast<std::size_t>(value) - 1;
  return std::string(text) + ", which is A's row " + std::to_string(place / columns) + ", column " +
         std::to_string(place % columns);
}

std::string wrong_terms(const std::vector<float>& expected, const std::vector<float>& got, std::size_t columns,
                        std::size_t terms) {
  std::set<std::size_t> wrong, right;
  std::set<float> factors, expected_of_wrong;
  bool are_places = true;  // of A: then each wrong element may as well be another one's
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!(expected[i] >= 1.0f)) return "";
    if (expected[i] != got[i]) {
      factors.insert(got[i] / expected[i]);
      expected_of_wrong.insert(expected[i]);
      are_places = are_places && got[i] <= static_cast<float>(expected.size() / columns * terms);
    }
    const std::size_t term = (static_cast<std::size_t>(expected[i % columns]) - 1) % terms;
    (expected[i] == got[i] ? right : wrong).insert(term);
  }
  const bool is_sure = !are_places || expected_of_wrong.size() > 1;
  if (is_sure && factors.size() == 1 && *factors.begin() >= 2.0f && *factors.begin() == std::floor(*factors.begin())) {
    return "; it is " + std::to_string(static_cast<long>(*factors.begin())) + " times what it should be" +
           (wrong.size() > 1 ? ", as all that is wrong" : "");
  }
  // A term that is right somewhere is not what is wrong.
  for (const std::size_t term : right) {
    if (wrong.count(term) != 0) return "";
  }
  constexpr std::size_t kFewest = 4;  // so many right ones tell that it is this term
  if (wrong.empty() || right.size() < kFewest) return "";
  const std::size_t first = *wrong.begin();
  if (wrong.size() == 1) {
    return "; of the sums, term number " + std::to_string(first) + " is wrong, and " + std::to_string(right.size()) +
           " others are right";
  }
  for (std::size_t step = 64; step >= 2; step /= 2) {
    const auto in_step = [&](std::size_t term) { return term % step == first % step; };
    if (step < terms && std::all_of(wrong.begin(), wrong.end(), in_step) &&
        std::none_of(right.begin(), right.end(), in_step)) {
      return "; of the sums, every " + ordinal(step) + " term is wrong, the first of them number " +
             std::to_string(first % step);
    }
  }
  if (*right.rbegin() < first) return "; of the sums, all terms from number " + std::to_string(first) + " on are wrong";
  if (*right.begin() > *wrong.rbegin()) {
    return "; of the sums, all terms up to number " + std::to_string(*wrong.rbegin()) + " are wrong";
  }
  return "";
}

}  // namespace workbook
