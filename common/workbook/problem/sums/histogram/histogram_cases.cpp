// SPDX-License-Identifier: MIT
// The cases of histograms: all types, all kinds of samples, and sizes on both sides of a vector, a warp and a block.
#include "workbook/case/case_list.h"
#include "workbook/problem/sums/histogram/histogram_problem.h"

namespace workbook {
namespace {

constexpr SampleType kSampleTypes[] = {SampleType::words, SampleType::bytes, SampleType::floats};

class HistogramCases : public CaseList {
 public:
  explicit HistogramCases(const Settings& standard) : CaseList(standard) {}

  void add_one(std::size_t n, SampleType type, Samples samples, unsigned bins = 256, unsigned range = 0) {
    add_seeded({n}, {{"type", static_cast<double>(type)},
                     {"data", static_cast<double>(samples)},
                     {"bins", bins},
                     {"range", range}});
  }
  void add_all_types(std::size_t n, Samples samples, unsigned bins = 256) {
    for (const SampleType type : kSampleTypes) add_one(n, type, samples, bins);
  }
};

void add_quick_histograms(HistogramCases& cases) {
  cases.add_one(5, SampleType::words, Samples::uniform, 3);
  cases.add_one(1000, SampleType::words, Samples::uniform, 8);
  cases.add_all_types(1003, Samples::uniform);
  // No floats: the peer of the benchmark loses those whose product is rounded up to the number of bins.
  cases.add_one(1003, SampleType::words, Samples::edges, 200);
  cases.add_one(1003, SampleType::bytes, Samples::edges, 200);
  cases.add_one(4097, SampleType::words, Samples::one);
}

void add_hostile_histograms(HistogramCases& cases) {
  // Nothing to count, and less than a vector of each type.
  for (const std::size_t n : Sizes{0, 1, 3, 15, 17}) cases.add_all_types(n, Samples::uniform, 7);
  for (const std::size_t n : Sizes{31, 33, 255, 256, 257, 1025, 2047, 4099})
    cases.add_one(n, kSampleTypes[cases.turn() % 3], Samples::uniform);
  // Edges, with bins whose width is no float, and with every range.
  for (const unsigned range : {0u, 1u, 2u}) {
    for (const unsigned bins : {1u, 10u, 100u, 256u, 2047u})
      cases.add_one(1003, SampleType::floats, Samples::edges, bins, range);
  }
  for (const unsigned bins : {1u, 255u, 257u, 2048u}) {
    cases.add_one(515, SampleType::words, Samples::edges, bins);
    cases.add_one(1003, SampleType::bytes, Samples::edges, bins);
  }
  for (const Samples samples : {Samples::one, Samples::few, Samples::sorted, Samples::strided})
    cases.add_all_types(3001, samples);
  cases.add_one(9001, SampleType::words, Samples::uniform, 2048);
  cases.add_one(9001, SampleType::floats, Samples::sorted, 2048);
  cases.add_one(20'011, SampleType::bytes, Samples::few, 2048);
  cases.add_one(20'011, SampleType::words, Samples::one, 1);
  // One vector less than whole tiles of 1024 vectors: the last tile must not be taken for a whole one.
  cases.add_one(16'383, SampleType::words, Samples::uniform);
}

}  // namespace

std::vector<Settings> HistogramProblem::cases(Purpose purpose, const Settings& standard,
                                              const std::vector<dim3>& shapes, bool simulated) const {
  HistogramCases cases(standard);
  switch (purpose) {
    case Purpose::quick:
      add_quick_histograms(cases);
      cases.use_every_block(shapes);
      break;
    case Purpose::hostile:
      add_hostile_histograms(cases);
      cases.use_blocks_in_turn(shapes);
      // Each block takes many samples, on any number of multiprocessors.
      cases.add_one(70'001, SampleType::words, Samples::uniform);
      cases.add_one(300'007, SampleType::bytes, Samples::uniform);
      cases.use_blocks_in_turn({shapes.front()});
      break;
    case Purpose::full:
      add_hostile_histograms(cases);
      for (const std::size_t n : Sizes{65'535, 65'537, 1'000'003}) {
        cases.add_all_types(n, Samples::uniform);
        cases.add_all_types(n, Samples::one, 2048);
      }
      cases.use_every_block(shapes);
      cases.add_standard();
      break;
    case Purpose::lesson:
      cases.add_standard();
      break;
    case Purpose::bench:
      for (std::size_t n = simulated ? 1 << 18 : 1 << 16; n <= (simulated ? 1u << 18 : 1u << 28); n *= 16) {
        cases.add_one(n, SampleType::words, Samples::uniform);
        cases.add_one(n, SampleType::words, Samples::one);
        cases.add_one(n, SampleType::words, Samples::uniform, 2048);
        cases.add_one(n, SampleType::bytes, Samples::uniform);
        cases.add_one(n, SampleType::bytes, Samples::one);
        cases.add_one(n, SampleType::floats, Samples::uniform);
      }
      break;
  }
  return cases.take();
}

}  // namespace workbook
