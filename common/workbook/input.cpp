// SPDX-License-Identifier: MIT
// The arithmetic from mt19937's 32 bits to a float, and the table of names.
#include "workbook/input.h"

#include <array>
#include <limits>
#include <random>

namespace workbook {
namespace {

struct DistributionName {
  Distribution distribution;
  const char* name;
};

constexpr std::array<DistributionName, 8> kNames{{
    {Distribution::uniform, "uniform"},
    {Distribution::signed_uniform, "signed"},
    {Distribution::exact, "exact"},
    {Distribution::one_hot, "one-hot"},
    {Distribution::constant, "constant"},
    {Distribution::nan, "nan"},
    {Distribution::infinity, "infinity"},
    {Distribution::infinities, "infinities"},
}};

// The top 24 bits, because a float holds 24: the product is exact, nothing is rounded, and 1 is never reached.
float unit_float(std::mt19937& generator) { return static_cast<float>(generator() >> 8) * 0x1p-24f; }

// A place in [0, n). 64 bits of the generator, so that each place of a large array can come up.
std::size_t place(std::mt19937& generator, std::size_t n) {
  const std::uint64_t high = generator();
  const std::uint64_t low = generator();
  return static_cast<std::size_t>((high << 32 | low) % n);
}

std::vector<float> uniform(std::mt19937& generator, std::size_t n) {
  std::vector<float> values(n);
  for (float& value : values) value = unit_float(generator);
  return values;
}

}  // namespace

const char* name_of(Distribution distribution) {
  for (const DistributionName& row : kNames) {
    if (row.distribution == distribution) return row.name;
  }
  return "unknown";
}

std::optional<Distribution> distribution_named(std::string_view name) {
  for (const DistributionName& row : kNames) {
    if (row.name == name) return row.distribution;
  }
  return std::nullopt;
}

std::string distribution_names() {
  std::string names;
  for (const DistributionName& row : kNames) names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

std::vector<float> make_input(Distribution distribution, std::size_t n, std::uint32_t seed) {
  std::mt19937 generator(seed);
  if (n == 0) return {};
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::vector<float> values;
  switch (distribution) {
    case Distribution::uniform:
      return uniform(generator, n);
    case Distribution::signed_uniform:
      values = uniform(generator, n);
      for (float& value : values) value = 2.0f * value - 1.0f;  // exact: a multiple of 2^-23 below 1
      return values;
    case Distribution::exact:
      values.resize(n);
      for (float& value : values) value = static_cast<float>(generator() % 3) - 1.0f;
      return values;
    case Distribution::one_hot:
      values.assign(n, 0.0f);
      values[place(generator, n)] = 1.0f;
      return values;
    case Distribution::constant:
      values.assign(n, 0.1f);
      return values;
    case Distribution::nan:
      values = uniform(generator, n);
      values[place(generator, n)] = std::numeric_limits<float>::quiet_NaN();
      return values;
    case Distribution::infinity:
      values = uniform(generator, n);
      values[place(generator, n)] = kInfinity;
      return values;
    case Distribution::infinities: {
      values = uniform(generator, n);
      const std::size_t first = place(generator, n);
      values[first] = kInfinity;
      if (n > 1) values[(first + 1 + place(generator, n - 1)) % n] = -kInfinity;
      return values;
    }
  }
  return values;  // not reached: the switch is exhaustive
}

}  // namespace workbook
