// SPDX-License-Identifier: MIT
// Seeded samples for a histogram, and its reference. The same arguments give the same bits on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workbook/student/histogram.h"

namespace workbook {

/// The types of the samples.
enum class SampleType : std::uint8_t { words, bytes, floats };
std::vector<std::string> sample_types();  ///< "uint32", "byte", "float"

/// Calls visit(T{}) with the type of the samples.
template <typename Visit>
auto with_sample_type(SampleType type, Visit visit) {
  switch (type) {
    case SampleType::words:
      return visit(std::uint32_t{});
    case SampleType::bytes:
      return visit(std::uint8_t{});
    case SampleType::floats:
      break;
  }
  return visit(0.0f);
}

/// The samples.
enum class Samples : std::uint8_t {
  uniform,  ///< All bins alike, and nothing outside.
  one,      ///< One value for all.
  few,      ///< Three neighbouring bins.
  sorted,   ///< As uniform, the smallest first.
  strided,  ///< Bins 0, 32, 64, ...: where bin b is word b of shared memory, all are in one bank.
  edges,    ///< The ends of bins, their neighbours, and what is in no bin. For floats also NaN and the infinities.
};
std::vector<std::string> samples_names();  ///< "uniform", "one", "few", "sorted", "strided", "edges"

/// The ranges of floats.
std::vector<std::string> range_names();  ///< "-1..1", "0..3", "100..101"
/// `range` is one of range_names(), by its index.
Bins make_bins(unsigned count, unsigned range);

/// n samples.
template <typename T>
std::vector<T> make_samples(Samples samples, const Bins& bins, std::size_t n, std::uint32_t seed);

/// The bin of a sample, as workbook/student/histogram.h defines it; bins.count where it is in none.
unsigned reference_bin(std::uint32_t sample, const Bins& bins);
unsigned reference_bin(std::uint8_t sample, const Bins& bins);
unsigned reference_bin(float sample, const Bins& bins);

/// The counts. bins.count of them.
template <typename T>
std::vector<std::uint32_t> reference_histogram(const std::vector<T>& samples, const Bins& bins) {
  std::vector<std::uint32_t> counts(bins.count);
  for (const T sample : samples) {
    const unsigned bin = reference_bin(sample, bins);
    if (bin < bins.count) ++counts[bin];
  }
  return counts;
}

}  // namespace workbook
