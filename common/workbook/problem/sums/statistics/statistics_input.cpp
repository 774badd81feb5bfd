// SPDX-License-Identifier: MIT
// Turns the 32 bits of mt19937 into numbers, and has the table of names.
#include "workbook/problem/sums/statistics/statistics_input.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "workbook/problem/generator.h"

namespace workbook {
namespace {

constexpr const char* kNames[] = {"uniform", "signed",   "exact",    "constant",   "shifted", "negative",
                                  "one-hot", "infinite", "infinity", "infinities", "nan"};

std::uint64_t bits_64(Generator& generator) {
  const std::uint64_t high = generator();
  return high << 32 | generator();
}

// A number in [0, 1) with as many bits as T holds: no rounding, and never 1.
template <typename T>
T unit(Generator& generator) {
  if constexpr (std::is_same_v<T, float>) return static_cast<float>(generator() >> 8) * 0x1p-24f;
  return static_cast<T>(static_cast<double>(bits_64(generator) >> 11) * 0x1p-53);
}

// One number for the product: near 1 or -1, and as likely as its reciprocal, so that products do not drift. The
// logarithm of the product of n numbers, or of any of them, has a deviation of at most 19.
template <typename T>
T factor(Numbers numbers, std::size_t n, Generator& generator) {
  const T spread = std::min(T{0x1p-7}, static_cast<T>(32.0 / std::sqrt(static_cast<double>(n))));
  const T above = T{1} + unit<T>(generator) * spread;
  const std::uint32_t bits = static_cast<std::uint32_t>(generator());
  const T size = bits % 2 == 0 ? above : T{1} / above;
  const bool negative = numbers == Numbers::negative || (numbers == Numbers::signed_uniform && bits / 2 % 2 == 1);
  return negative ? -size : size;
}

// One number of the seeded kinds.
template <typename T>
T draw(Numbers numbers, Operation operation, std::size_t n, Generator& generator) {
  if (numbers == Numbers::exact) {
    if (operation == Operation::product) return generator() % 2 == 1 ? T{1} : T{-1};
    return static_cast<T>(static_cast<int>(generator() % 3) - 1);
  }
  if constexpr (std::is_integral_v<T>) {
    const std::uint32_t bits = static_cast<std::uint32_t>(generator());
    int number = static_cast<int>(bits);
    if (numbers == Numbers::shifted) number = 1'000'000'000 + static_cast<int>(bits % 16);
    if (numbers == Numbers::negative) number = -1 - static_cast<int>(bits / 2);
    return operation == Operation::product ? number | 1 : number;
  } else {
    constexpr T kShift = std::is_same_v<T, float> ? T{1e6} : T{1e8};
    if (operation == Operation::product) return factor<T>(numbers, n, generator);
    const T number = unit<T>(generator);
    if (numbers == Numbers::signed_uniform) return T{2} * number - T{1};
    if (numbers == Numbers::shifted) return kShift + number;
    if (numbers == Numbers::negative) return -T{1} - number;
    return number;
  }
}

template <typename T>
T repeated(Numbers numbers, Operation operation) {
  using Limits = std::numeric_limits<T>;
  if (numbers == Numbers::constant) {
    if (operation == Operation::product) return T{-1};
    return std::is_integral_v<T> ? T{7} : static_cast<T>(0.1);
  }
  if (operation == Operation::maximum) return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  return Limits::has_infinity ? Limits::infinity() : Limits::max();
}

}  // namespace

const char* name_of(Numbers numbers) { return kNames[static_cast<std::size_t>(numbers)]; }

std::vector<std::string> numbers_names() { return {std::begin(kNames), std::end(kNames)}; }

template <typename T>
std::vector<T> make_numbers(Numbers numbers, Operation operation, std::size_t n, std::uint32_t seed) {
  if (numbers == Numbers::constant || numbers == Numbers::infinite) {
    return std::vector<T>(n, repeated<T>(numbers, operation));
  }
  Generator generator(seed);
  std::vector<T> values(n);
  if (numbers == Numbers::one_hot) {
    if (n > 0) values[bits_64(generator) % n] = T{1};
    return values;
  }
  for (T& value : values) value = draw<T>(numbers, operation, n, generator);
  if (n == 0 || std::is_integral_v<T>) return values;
  if (numbers == Numbers::exact && operation == Operation::product) {
    for (int i = 0; i < 64; ++i) {
      T& value = values[bits_64(generator) % n];
      value = static_cast<T>(generator() % 2 == 1 ? value * 2 : value / 2);
    }
  }
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  if (numbers == Numbers::nan) values[bits_64(generator) % n] = std::numeric_limits<T>::quiet_NaN();
  if (numbers == Numbers::infinity) values[bits_64(generator) % n] = kInfinity;
  if (numbers == Numbers::infinities) {
    const std::size_t first = bits_64(generator) % n;
    values[first] = kInfinity;
    if (n > 1) values[(first + 1 + bits_64(generator) % (n - 1)) % n] = -kInfinity;
  }
  return values;
}

template std::vector<float> make_numbers(Numbers, Operation, std::size_t, std::uint32_t);
template std::vector<double> make_numbers(Numbers, Operation, std::size_t, std::uint32_t);
template std::vector<int> make_numbers(Numbers, Operation, std::size_t, std::uint32_t);

}  // namespace workbook
