// SPDX-License-Identifier: MIT
// Scans: references and bounds, and what the verdict says of the mistakes that kernels make. The host plays the kernel,
// on a device's memory.
#include "workbook/problem/sums/scan/scan_problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "workbook/program/command_line.h"
#include "workbook/student/gpu_timer.h"

namespace workbook {
namespace {

// Scans `n` elements; `wrong` says what else happens.
enum class Mistake { none, exchanged, own_left_out, by_subtraction, from_128, last_128, own_128_too, without_5 };

template <typename T>
T without(T up_to, T) {
  return up_to;
}
template <>
float without(float up_to, float own) {
  return up_to - own;
}

// What lies before the elements of a group of 128, where that is wrong.
template <Mistake kMistake, typename T>
T before_group(const std::vector<T>& from, std::size_t group) {
  const std::size_t begin = kMistake == Mistake::from_128                ? group
                            : kMistake == Mistake::last_128 && group > 0 ? group - 128
                                                                         : 0;
  const std::size_t end = std::min(from.size(), kMistake == Mistake::own_128_too ? group + 128 : group);
  T sum = identity<T>();
  for (std::size_t i = begin; i < end; ++i) sum = combine(sum, from[i]);
  return sum;
}

template <Mistake kMistake, typename T>
void scan_on_host(Scan scan, const T* input, T* output, std::size_t n, unsigned, const ScanWorkspace&) {
  std::vector<T> from(n), to;
  CUDA_CHECK(cudaMemcpy(from.data(), input, n * sizeof(T), cudaMemcpyDeviceToHost));
  T before = identity<T>();
  for (const T& own : from) {
    if (kMistake >= Mistake::from_128 && kMistake <= Mistake::own_128_too && to.size() % 128 == 0)
      before = before_group<kMistake>(from, to.size());
    if (kMistake == Mistake::without_5 && to.size() == 5) {
      to.push_back(before);
      continue;
    }
    const T up_to = kMistake == Mistake::exchanged ? combine(own, before) : combine(before, own);
    const bool is_exclusive = scan == Scan::exclusive || kMistake == Mistake::own_left_out;
    to.push_back(!is_exclusive ? up_to : kMistake == Mistake::by_subtraction ? without(up_to, own) : before);
    before = up_to;
  }
  CUDA_CHECK(cudaMemcpy(output, to.data(), n * sizeof(T), cudaMemcpyHostToDevice));
}

template <Mistake kMistake>
Verdict judged(ScanType type, Elements elements, Scan scan, std::size_t n) {
  const ScanProblem problem(
      ScanFunctions{&scan_on_host<kMistake, int>, &scan_on_host<kMistake, float>, &scan_on_host<kMistake, Affine>});
  Settings settings = default_settings(Stage{}, problem);
  settings.sizes = {n};
  settings.options["type"] = static_cast<double>(type);
  settings.options["elements"] = static_cast<double>(elements);
  settings.options["scan"] = static_cast<double>(scan);
  GpuTimer timer;
  return problem.make_case(settings)->call({settings.block}, timer).verdict;
}

TEST(ScanProblem, TakesTheRightScanOfEveryType) {
  for (const ScanType type : {ScanType::ints, ScanType::floats, ScanType::maps}) {
    for (const Elements elements : {Elements::random, Elements::ones, Elements::infinity}) {
      for (const Scan scan : {Scan::inclusive, Scan::exclusive}) {
        EXPECT_EQ(judged<Mistake::none>(type, elements, scan, 1003).reason, "");
      }
    }
  }
}

TEST(ScanProblem, RefusesExchangedOperandsOfMapsAlone) {
  EXPECT_TRUE(judged<Mistake::exchanged>(ScanType::ints, Elements::random, Scan::inclusive, 100).matches);
  EXPECT_FALSE(judged<Mistake::exchanged>(ScanType::maps, Elements::random, Scan::inclusive, 100).matches);
}

TEST(ScanProblem, RefusesWhatIsExclusiveAndShouldNotBe) {
  EXPECT_EQ(judged<Mistake::own_left_out>(ScanType::ints, Elements::ones, Scan::inclusive, 3).reason.substr(0, 65),
            "3 of 3 elements are wrong; the first is element 0: expected 1, fo");
}

TEST(ScanProblem, AnInfinityShowsSubtraction) {
  EXPECT_FALSE(judged<Mistake::by_subtraction>(ScanType::floats, Elements::infinity, Scan::exclusive, 999).matches);
}

TEST(ScanProblem, SaysWhatLiesBeforeAGroupOfElements) {
  const auto says = [](const Verdict& verdict, const char* words) {
    EXPECT_NE(verdict.reason.find(words), std::string::npos) << verdict.reason;
  };
  for (const ScanType type : {ScanType::ints, ScanType::maps}) {
    for (const Elements elements : {Elements::random, Elements::ones}) {
      says(judged<Mistake::from_128>(type, elements, Scan::inclusive, 1003),
           "what lies before each 128 elements is missing: their sums begin with the first of them");
      says(judged<Mistake::last_128>(type, elements, Scan::exclusive, 1003),
           "of what lies before each 128 elements, only as many are there");
      says(judged<Mistake::own_128_too>(type, elements, Scan::inclusive, 1003),
           "in what lies before each 128 elements, these are counted, too");
    }
  }
  says(judged<Mistake::without_5>(ScanType::ints, Elements::random, Scan::exclusive, 100),
       "element 6 has the sum of elements 0 to 4");
}

TEST(ScanProblem, SaysWhichElementsAreExchanged) {
  const std::string reason = judged<Mistake::exchanged>(ScanType::maps, Elements::random, Scan::inclusive, 100).reason;
  EXPECT_NE(reason.find("in element 1, element 1 comes in front of element 0: the operands of combine() are exchanged"),
            std::string::npos)
      << reason;
}

TEST(ScanProblem, SaysNothingOfWhichOnesAreMissing) {
  EXPECT_EQ(judged<Mistake::without_5>(ScanType::ints, Elements::ones, Scan::exclusive, 100).reason.find("missing"),
            std::string::npos);
}

TEST(ScanReference, ScansEachTileByItself) {
  const std::vector<int> input{1, 2, 3, 4, 5};
  EXPECT_EQ(reference_scan(Scan::inclusive, input, 3).output, (std::vector<int>{1, 3, 6, 4, 9}));
  EXPECT_EQ(reference_scan(Scan::exclusive, input, 3).output, (std::vector<int>{0, 1, 3, 0, 4}));
}

TEST(ScanReference, BoundsGrowWithDepthAndAreZeroWhereNothingIsRounded) {
  const auto whole = reference_scan(Scan::inclusive, std::vector<float>(5000, 1.0f), ~std::size_t{0});
  EXPECT_EQ(whole.bounds.back(), 0.0f);
  const auto parts = reference_scan(Scan::inclusive, std::vector<float>(5000, 0.1f), ~std::size_t{0});
  EXPECT_EQ(parts.bounds[0], 0.0f);  // one number is exact
  EXPECT_GT(parts.bounds[4999], parts.bounds[100]);
  EXPECT_LT(parts.bounds[4999], 500.0f * 1e-4f);
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(reference_scan(Scan::inclusive, std::vector<float>{0.5f, infinity, 1.0f}, 3).bounds[2], 0.0f);
}

TEST(ScanReference, TextsNameMaps) {
  EXPECT_EQ(text_of_element(ScanType::maps, 5u << 16 | 3u), "3x + 5");
  EXPECT_EQ(text_of_element(ScanType::ints, ~0u), "-1");
}

}  // namespace
}  // namespace workbook
