// SPDX-License-Identifier: MIT
// The elements, from the 32 bits of mt19937, and the reference, one after the other in double.
#include "workbook/problem/sums/scan/scan_input.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "workbook/judge/number_text.h"
#include "workbook/problem/generator.h"
#include "workbook/problem/sums/statistics/statistics_reference.h"

namespace workbook {
namespace {

template <typename T>
T random_element(Generator& generator) {
  const auto bits = static_cast<std::uint32_t>(generator());
  if constexpr (std::is_same_v<T, float>) {
    return static_cast<float>(bits >> 8) * 0x1p-23f - 1.0f;
  } else if constexpr (std::is_same_v<T, Affine>) {
    return {static_cast<std::uint16_t>(bits | 1), static_cast<std::uint16_t>(bits >> 16)};
  } else {
    return static_cast<int>(bits);
  }
}

template <typename T>
T one() {
  if constexpr (std::is_same_v<T, Affine>) {
    return {1, 1};
  } else {
    return T{1};
  }
}

// One sum and its bound, element by element.
class FloatSum {
 public:
  void add(float x) {
    ++count_;
    sum_ += static_cast<double>(x);
    size_ += std::fabs(static_cast<double>(x));
    is_whole_ = is_whole_ && x == std::trunc(x);
  }
  double sum() const { return sum_; }
  double bound() const {
    constexpr double kRoundoff = 0x1p-24, kExactLimit = 0x1p24;
    if (!std::isfinite(sum_) || count_ < 2 || (is_whole_ && size_ <= kExactLimit)) return 0.0;
    const double depth = addition_depth(count_) + static_cast<double>(count_ / 512);
    return 2.0 * std::min(depth, 8.0 * std::sqrt(depth)) * kRoundoff * size_;
  }

 private:
  std::size_t count_ = 0;
  double sum_ = 0.0, size_ = 0.0;
  bool is_whole_ = true;
};

}  // namespace

std::vector<std::string> scan_types() { return {"int", "float", "affine"}; }
std::vector<std::string> scan_elements() { return {"random", "ones", "infinity"}; }

template <typename T>
std::vector<T> make_elements(Elements elements, std::size_t n, std::uint32_t seed) {
  if (elements == Elements::ones) return std::vector<T>(n, one<T>());
  Generator generator(seed);
  std::vector<T> values(n);
  for (T& value : values) value = random_element<T>(generator);
  if constexpr (std::is_same_v<T, float>) {
    if (elements == Elements::infinity && n > 0) {
      values[generator() % std::min<std::size_t>(n, 100)] = std::numeric_limits<float>::infinity();
    }
  }
  return values;
}

template <typename T>
ScanReference<T> reference_scan(Scan scan, const std::vector<T>& input, std::size_t tile) {
  ScanReference<T> reference;
  reference.output.resize(input.size());
  if constexpr (std::is_same_v<T, float>) {
    reference.bounds.resize(input.size());
    FloatSum sum;
    for (std::size_t i = 0; i < input.size(); ++i) {
      if (i % tile == 0) sum = FloatSum{};
      if (scan == Scan::inclusive) sum.add(input[i]);
      reference.output[i] = static_cast<float>(sum.sum());
      reference.bounds[i] = static_cast<float>(sum.bound());
      if (scan == Scan::exclusive) sum.add(input[i]);
    }
  } else {
    T before = identity<T>();
    for (std::size_t i = 0; i < input.size(); ++i) {
      if (i % tile == 0) before = identity<T>();
      const T up_to = combine(before, input[i]);
      reference.output[i] = scan == Scan::inclusive ? up_to : before;
      before = up_to;
    }
  }
  return reference;
}

std::string text_of_element(ScanType type, std::uint32_t bits) {
  return with_type(type, [bits](auto zero) -> std::string {
    using T = decltype(zero);
    T element;
    std::memcpy(&element, &bits, sizeof element);
    if constexpr (std::is_same_v<T, float>) {
      return plain(static_cast<double>(element), 9);
    } else if constexpr (std::is_same_v<T, Affine>) {
      return std::to_string(element.scale) + "x + " + std::to_string(element.offset);
    } else {
      return std::to_string(element);
    }
  });
}

template std::vector<int> make_elements(Elements, std::size_t, std::uint32_t);
template std::vector<float> make_elements(Elements, std::size_t, std::uint32_t);
template std::vector<Affine> make_elements(Elements, std::size_t, std::uint32_t);
template ScanReference<int> reference_scan(Scan, const std::vector<int>&, std::size_t);
template ScanReference<float> reference_scan(Scan, const std::vector<float>&, std::size_t);
template ScanReference<Affine> reference_scan(Scan, const std::vector<Affine>&, std::size_t);

}  // namespace workbook
