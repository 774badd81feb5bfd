// SPDX-License-Identifier: MIT
// The samples, from the 32 bits of mt19937, and the bin of one.
#include "workbook/problem/sums/histogram/samples.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "workbook/problem/generator.h"

namespace workbook {
namespace {

constexpr float kBeyond = std::numeric_limits<float>::infinity();

// A sample in bin `bin`. For floats it is one of many.
template <typename T>
T sample_in(unsigned bin, const Bins& bins, Generator& generator) {
  if constexpr (std::is_same_v<T, float>) {
    const double part = static_cast<double>(generator() >> 8) * 0x1p-24;
    const double width = (static_cast<double>(bins.upper) - static_cast<double>(bins.lower)) / bins.count;
    return static_cast<float>(static_cast<double>(bins.lower) + (bin + part) * width);
  } else {
    return static_cast<T>(bin);
  }
}

float float_at_an_edge(const Bins& bins, Generator& generator) {
  const float nowhere[] = {std::numeric_limits<float>::quiet_NaN(),
                           -std::numeric_limits<float>::quiet_NaN(),
                           kBeyond,
                           -kBeyond,
                           bins.lower,
                           bins.upper,
                           -0.0f,
                           std::numeric_limits<float>::max(),
                           std::numeric_limits<float>::lowest(),
                           std::numeric_limits<float>::denorm_min()};
  const auto below = [&generator](unsigned end) { return static_cast<unsigned>(generator()) % end; };
  const unsigned which = below(32), bin = below(bins.count + 1), side = below(3);
  if (which < std::size(nowhere)) return nowhere[which];
  const float edge =
      which % 3 == 0 ? bins.upper : static_cast<float>(bins.lower + static_cast<double>(bin) / bins.scale);
  return side == 0 ? edge : std::nextafter(edge, side == 1 ? -kBeyond : kBeyond);
}

template <typename T>
T sample_at_an_edge(const Bins& bins, Generator& generator) {
  if constexpr (std::is_same_v<T, float>) {
    return float_at_an_edge(bins, generator);
  } else {
    const std::uint32_t values[] = {0, 1, bins.count - 1, bins.count, bins.count + 1, 0x7fffffff, 0x80000000, ~0u};
    return static_cast<T>(values[generator() % std::size(values)]);
  }
}

}  // namespace

std::vector<std::string> sample_types() { return {"uint32", "byte", "float"}; }
std::vector<std::string> samples_names() { return {"uniform", "one", "few", "sorted", "strided", "edges"}; }
std::vector<std::string> range_names() { return {"-1..1", "0..3", "100..101"}; }

Bins make_bins(unsigned count, unsigned range) {
  constexpr float kRanges[][2] = {{-1.0f, 1.0f}, {0.0f, 3.0f}, {100.0f, 101.0f}};
  const float lower = kRanges[range][0], upper = kRanges[range][1];
  return {count, lower, upper, static_cast<float>(count) / (upper - lower)};
}

template <typename T>
std::vector<T> make_samples(Samples samples, const Bins& bins, std::size_t n, std::uint32_t seed) {
  Generator generator(seed);
  std::vector<T> values(n);
  const unsigned count = std::is_same_v<T, std::uint8_t> ? std::min(bins.count, 256u) : bins.count;
  const auto first = static_cast<unsigned>(generator() % count);
  const auto random_bin = [&]() -> unsigned {
    const auto bits = static_cast<unsigned>(generator());
    if (samples == Samples::one) return first;
    if (samples == Samples::few) return std::min(first + bits % 3, count - 1);
    if (samples == Samples::strided) return 32 * (bits % ((count + 31) / 32));
    return bits % count;
  };
  for (T& value : values) {
    value =
        samples == Samples::edges ? sample_at_an_edge<T>(bins, generator) : sample_in<T>(random_bin(), bins, generator);
  }
  if (samples == Samples::one) std::fill(values.begin(), values.end(), values.empty() ? T{} : values.front());
  if (samples == Samples::sorted) std::sort(values.begin(), values.end());
  return values;
}

unsigned reference_bin(std::uint32_t sample, const Bins& bins) { return std::min(sample, bins.count); }
unsigned reference_bin(std::uint8_t sample, const Bins& bins) { return std::min<unsigned>(sample, bins.count); }
unsigned reference_bin(float sample, const Bins& bins) {
  if (!(sample >= bins.lower && sample < bins.upper)) return bins.count;
  return std::min(static_cast<unsigned>((sample - bins.lower) * bins.scale), bins.count - 1);
}

template std::vector<std::uint32_t> make_samples(Samples, const Bins&, std::size_t, std::uint32_t);
template std::vector<std::uint8_t> make_samples(Samples, const Bins&, std::size_t, std::uint32_t);
template std::vector<float> make_samples(Samples, const Bins&, std::size_t, std::uint32_t);

}  // namespace workbook
