// SPDX-License-Identifier: MIT
// Histograms as a problem. Samples and reference are in samples.h, the function and the definition of the bins in
// workbook/student/histogram.h.
#pragma once

#include "workbook/case/problem.h"
#include "workbook/problem/sums/histogram/samples.h"

namespace workbook {

/// A student's histogram_on_device().
template <typename T>
using HistogramOnDevice = void (*)(const T* samples, std::size_t n, const Bins& bins, unsigned* counts,
                                   unsigned block_size, cudaStream_t stream);

/// A stage's function for each type of samples.
struct HistogramFunctions {
  HistogramOnDevice<std::uint32_t> of_words = nullptr;
  HistogramOnDevice<std::uint8_t> of_bytes = nullptr;
  HistogramOnDevice<float> of_floats = nullptr;

  HistogramOnDevice<std::uint32_t> of(std::uint32_t) const { return of_words; }
  HistogramOnDevice<std::uint8_t> of(std::uint8_t) const { return of_bytes; }
  HistogramOnDevice<float> of(float) const { return of_floats; }
};

/// The case's own options.
struct HistogramChoice {
  explicit HistogramChoice(const Settings& settings);

  SampleType type;
  Samples samples;
  Bins bins;
};

/// Histograms as a problem.
class HistogramProblem final : public Problem {
 public:
  explicit HistogramProblem(const HistogramFunctions& functions) : functions_(functions) {}

  /// The stage's function for a type.
  template <typename T>
  HistogramOnDevice<T> on_device() const {
    return functions_.of(T{});
  }

  std::string name() const override { return "histogram"; }
  std::string help() const override { return "Counts samples by bins on the device and compares with the CPU."; }
  std::vector<Extent> extents() const override;
  std::vector<Option> options() const override;
  BlockRule block_rule() const override { return powers_of_two(32, 1024, 256); }
  Work work(const Settings& settings) const override;
  double device_bytes(const Settings& settings) const override;
  std::vector<Settings> cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                              bool simulated) const override;  // histogram_cases.cpp
  std::unique_ptr<Case> make_case(const Settings& settings) const override;

 private:
  HistogramFunctions functions_;
};

}  // namespace workbook
