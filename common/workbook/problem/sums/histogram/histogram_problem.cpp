// SPDX-License-Identifier: MIT
// The options and the limits of histograms, and one call.
#include "workbook/problem/sums/histogram/histogram_problem.h"

#include <algorithm>
#include <numeric>

#include "workbook/case/changed_element.h"
#include "workbook/problem/array_case.h"

namespace workbook {
namespace {

template <typename T>
class HistogramCase final : public ArrayCase {
 public:
  HistogramCase(HistogramOnDevice<T> on_device, const Settings& settings)
      : on_device_(on_device),
        choice_(settings),
        seed_(settings.seed),
        samples_(with_change(make_samples<T>(choice_.samples, choice_.bins, settings.size(), settings.seed),
                             settings.changed)),
        expected_(timed([&] { return reference_histogram(samples_, choice_.bins); })) {}

  std::string description() const override {
    return "Input: " + std::to_string(samples_.size()) + " samples (" +
           sample_types()[static_cast<std::size_t>(choice_.type)] + ", " +
           samples_names()[static_cast<std::size_t>(choice_.samples)] + ", seed " + std::to_string(seed_) + "), " +
           std::to_string(choice_.bins.count) + " bins";
  }

 private:
  const void* launch(DeviceCall& steps, const Call& call) override {
    const T* const samples = steps.input("the samples", samples_, line(samples_.size()));
    auto* const counts = steps.output<unsigned>("the counts", line(choice_.bins.count));
    const auto empty = static_cast<std::size_t>(std::count(expected_.begin(), expected_.end(), 0u));
    steps.needs(counts, (expected_.size() - empty) * sizeof(unsigned));  // a fill may have written the others
    steps.launch([&] { on_device_(samples, samples_.size(), choice_.bins, counts, call.block.x, steps.stream()); });
    return counts;
  }
  Words expected() const override { return words_of(expected_); }
  std::string known_mistake(const Words& got) const override {
    const auto total = [](const Words& words) {
      return std::accumulate(words.data, words.data + words.size(), std::uint64_t{0});
    };
    const std::uint64_t counted = total(got), wanted = total(expected());
    if (counted == wanted) return "; the counts of all bins together are right, so samples are in wrong bins";
    if (std::any_of(got.data, got.data + got.size(), [this](std::uint32_t count) { return count > samples_.size(); })) {
      return "";  // a count that nobody wrote, mostly: a sum with it says nothing
    }
    return "; all bins together have " + std::to_string(counted) + (counted == 1 ? " sample" : " samples") +
           ", and should have " + std::to_string(wanted);
  }

  HistogramOnDevice<T> on_device_;
  HistogramChoice choice_;
  std::uint32_t seed_;
  std::vector<T> samples_;
  std::vector<std::uint32_t> expected_;
};

}  // namespace

HistogramChoice::HistogramChoice(const Settings& settings)
    : type(settings.choice<SampleType>("type")),
      samples(settings.choice<Samples>("data")),
      bins(make_bins(settings.choice<unsigned>("bins"), settings.choice<unsigned>("range"))) {}

std::vector<Extent> HistogramProblem::extents() const {
  constexpr std::size_t kStandard = std::size_t{1} << 22, kLargest = (std::size_t{1} << 32) - 1;
  return {{"size", "how many samples", kStandard, kLargest}};
}

std::vector<Option> HistogramProblem::options() const {
  const auto row = [](Option option) {
    option.is_row = true;
    return option;
  };
  return {row({"type", "of the samples", sample_types()}),
          row({"bins", "how many bins", {}, 256.0, 1.0, kMostBins, true}),
          row({"data", "what the samples are", samples_names()}),
          {"range", "of the bins, for floats", range_names()}};
}

Work HistogramProblem::work(const Settings& settings) const {
  const auto n = static_cast<double>(settings.size());
  const HistogramChoice choice(settings);
  const double bytes = with_sample_type(choice.type, [](auto sample) { return static_cast<double>(sizeof sample); });
  return {"samples", n, bytes * n, static_cast<double>(sizeof(unsigned) * choice.bins.count), n};
}

double HistogramProblem::device_bytes(const Settings& settings) const {
  const Work done = work(settings);
  return done.bytes_read + done.bytes_written + 65536.0;
}

std::unique_ptr<Case> HistogramProblem::make_case(const Settings& settings) const {
  return with_sample_type(HistogramChoice(settings).type, [&](auto sample) -> std::unique_ptr<Case> {
    using T = decltype(sample);
    return std::make_unique<HistogramCase<T>>(on_device<T>(), settings);
  });
}

}  // namespace workbook
