// SPDX-License-Identifier: MIT
// Histograms: the bin of a sample, and what the verdict says of the mistakes that kernels make. The host plays the
// kernel, on a device's memory.
#include "workbook/problem/sums/histogram/histogram_problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "workbook/program/command_line.h"
#include "workbook/student/gpu_timer.h"

namespace workbook {
namespace {

enum class HistogramMistake { none, last_sample_left_out, bins_exchanged, nan_in_the_first, count_not_written };

template <HistogramMistake kMistake, typename T>
void histogram_on_host(const T* samples, std::size_t n, const Bins& bins, unsigned* counts, unsigned, cudaStream_t) {
  std::vector<T> from(n);
  CUDA_CHECK(cudaMemcpy(from.data(), samples, n * sizeof(T), cudaMemcpyDeviceToHost));
  if (kMistake == HistogramMistake::last_sample_left_out) from.pop_back();
  std::vector<unsigned> to = reference_histogram(from, bins);
  if (kMistake == HistogramMistake::bins_exchanged) std::swap(to.front(), to.back());
  if (kMistake == HistogramMistake::count_not_written) to.front() = ~0u;
  if (kMistake == HistogramMistake::nan_in_the_first) {
    for (const T sample : from) to[0] += sample != sample ? 1 : 0;
  }
  CUDA_CHECK(cudaMemcpy(counts, to.data(), to.size() * sizeof(unsigned), cudaMemcpyHostToDevice));
}

template <HistogramMistake kMistake>
Verdict judged_counts(SampleType type, Samples data, std::size_t n) {
  const HistogramProblem problem({&histogram_on_host<kMistake, std::uint32_t>,
                                  &histogram_on_host<kMistake, std::uint8_t>, &histogram_on_host<kMistake, float>});
  Settings settings = default_settings(Stage{}, problem);
  settings.sizes = {n};
  settings.options["type"] = static_cast<double>(type);
  settings.options["data"] = static_cast<double>(data);
  settings.options["bins"] = 100.0;
  GpuTimer timer;
  return problem.make_case(settings)->call({settings.block}, timer).verdict;
}

TEST(HistogramProblem, TakesTheRightCountsOfEveryTypeAndOfAllSamples) {
  for (const SampleType type : {SampleType::words, SampleType::bytes, SampleType::floats}) {
    for (unsigned data = 0; data < samples_names().size(); ++data) {
      EXPECT_EQ(judged_counts<HistogramMistake::none>(type, static_cast<Samples>(data), 1003).reason, "");
    }
  }
}

TEST(HistogramProblem, SaysHowManySamplesAreCounted) {
  const Verdict lost = judged_counts<HistogramMistake::last_sample_left_out>(SampleType::words, Samples::uniform, 1003);
  EXPECT_NE(lost.reason.find("all bins together have 1002 samples, and should have 1003"), std::string::npos);
  const Verdict exchanged = judged_counts<HistogramMistake::bins_exchanged>(SampleType::words, Samples::sorted, 1003);
  EXPECT_NE(exchanged.reason.find("the counts of all bins together are right"), std::string::npos);
}

TEST(HistogramProblem, SaysNothingOfSamplesWhereACountIsNotWritten) {
  const Verdict missing = judged_counts<HistogramMistake::count_not_written>(SampleType::words, Samples::one, 1003);
  EXPECT_FALSE(missing.matches);
  EXPECT_EQ(missing.reason.find("all bins together"), std::string::npos) << missing.reason;
}

TEST(HistogramProblem, EdgesShowNanInTheFirstBin) {
  EXPECT_FALSE(judged_counts<HistogramMistake::nan_in_the_first>(SampleType::floats, Samples::edges, 1003).matches);
  EXPECT_TRUE(judged_counts<HistogramMistake::nan_in_the_first>(SampleType::floats, Samples::uniform, 1003).matches);
}

TEST(HistogramProblem, ACaseEndsOneVectorBeforeTheEndOfATile) {
  const HistogramProblem problem{HistogramFunctions{}};
  const Settings standard = default_settings(Stage{}, problem);
  const std::vector<Settings> cases = problem.cases(Purpose::hostile, standard, {standard.block}, true);
  EXPECT_TRUE(std::any_of(cases.begin(), cases.end(), [](const Settings& each) {
    constexpr std::size_t kVector = 4, kTile = 1024;  // numbers of a vector, vectors of the smallest tile of stage 43
    return each.size() / kVector % kTile == kTile - 1;
  }));
}

TEST(HistogramReference, PutsTheEdgesOfFloatsWhereTheyBelong) {
  const Bins bins = make_bins(256, 0);
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(reference_bin(-1.0f, bins), 0u);
  EXPECT_EQ(reference_bin(-0.0f, bins), 128u);
  EXPECT_EQ(reference_bin(std::nextafter(1.0f, 0.0f), bins), 255u);  // the product is rounded up to 256
  for (const float outside : {1.0f, std::nextafter(-1.0f, -2.0f), infinity, -infinity, std::nanf("")}) {
    EXPECT_EQ(reference_bin(outside, bins), 256u) << outside;
  }
}

TEST(HistogramReference, WholeNumbersAreTheirOwnBins) {
  const Bins bins = make_bins(200, 0);
  EXPECT_EQ(reference_bin(std::uint32_t{199}, bins), 199u);
  EXPECT_EQ(reference_bin(~std::uint32_t{0}, bins), 200u);
  EXPECT_EQ(reference_bin(std::uint8_t{200}, bins), 200u);
}

}  // namespace
}  // namespace workbook
