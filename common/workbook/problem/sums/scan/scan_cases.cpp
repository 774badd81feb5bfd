// SPDX-License-Identifier: MIT
// The cases of scans: both kinds, all types, and sizes on both sides of a vector, a warp, a block, a tile and a window.
#include "workbook/case/case_list.h"
#include "workbook/problem/sums/scan/scan_problem.h"

namespace workbook {
namespace {

constexpr double kScanTypes[] = {0.0, 1.0, 2.0};
constexpr double kAffine = 2.0, kFloat = 1.0, kOnes = 1.0, kInfinity = 2.0, kExclusive = 1.0;

class ScanCases : public CaseList {
 public:
  explicit ScanCases(const Settings& standard) : CaseList(standard) {}

  // Settings that are not given take turns: types, kinds, and seeds.
  void add_in_turn(std::size_t n, const Values& values = {}) {
    Values all{{"type", static_cast<double>(turn() % 3)}, {"scan", static_cast<double>(turn() % 2)}};
    for (const auto& [name, value] : values) all[name] = value;
    add_seeded({n}, all);
  }
};

void add_quick_scans(ScanCases& cases) {
  // For the first steps of a stage: less than a vector, a vector, a warp, and a block.
  for (const double scan : {0.0, 1.0}) cases.add({4}, {{"elements", kOnes}, {"scan", scan}});
  cases.add({3}, {{"type", kAffine}});
  cases.add({128}, {{"elements", kOnes}});
  cases.add({100}, {{"type", kAffine}, {"scan", kExclusive}});
  cases.add({1024}, {{"elements", kOnes}});
  for (const double type : kScanTypes) cases.add_in_turn(1003, {{"type", type}});
  cases.add({4097}, {{"elements", kOnes}, {"scan", kExclusive}});
  cases.add_in_turn(4099, {{"type", kAffine}});
}

void add_hostile_scans(ScanCases& cases, bool is_by_block) {
  for (const std::size_t n : Sizes{0,   1,   2,   5,   31,  32,  33,   63,   65,   127,  129,  255,  256,  257,
                                   511, 512, 513, 640, 767, 769, 1023, 1025, 2047, 2048, 2049, 4095, 4096, 8193}) {
    cases.add_in_turn(n);
  }
  for (const double scan : {0.0, 1.0}) {
    cases.add_in_turn(999, {{"type", kFloat}, {"elements", kInfinity}, {"scan", scan}});
    cases.add_in_turn(12'289, {{"type", kAffine}, {"scan", scan}});
  }
  if (is_by_block) return;
  cases.add_in_turn(20'011, {{"elements", kOnes}});
  // A workspace that other scans have used.
  for (const double calls : {2.0, 3.0, 4.0}) cases.add_in_turn(5003, {{"calls", calls}, {"type", kAffine}});
  cases.add_in_turn(9001, {{"calls", 3.0}});
}

}  // namespace

std::vector<Settings> ScanProblem::cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                                         bool simulated) const {
  ScanCases cases(standard);
  switch (purpose) {
    case Purpose::quick:
      add_quick_scans(cases);
      cases.use_every_block(shapes);
      break;
    case Purpose::hostile:
      add_hostile_scans(cases, is_by_block());
      cases.use_blocks_in_turn(shapes);
      if (!is_by_block()) {
        // More than 65 tiles for blocks of 64 threads: a look back has a second window. Twice, as the adversarial order
        // lets blocks run side by side in every second launch of a kernel.
        cases.add_in_turn(75'011, {{"type", kAffine}, {"scan", kExclusive}, {"calls", 2.0}});
        cases.add_in_turn(75'013, {{"type", 0.0}, {"calls", 2.0}});
        cases.use_every_block(shapes);
      }
      break;
    case Purpose::full:
      add_hostile_scans(cases, is_by_block());
      for (const std::size_t n : Sizes{65'535, 65'537, 100'003, 300'007, 1'000'003}) {
        for (const double type : kScanTypes) cases.add_in_turn(n, {{"type", type}});
      }
      cases.use_every_block(shapes);
      cases.add_standard();
      break;
    case Purpose::lesson:
      cases.add_standard();
      break;
    case Purpose::bench:
      for (std::size_t n = simulated ? 1 << 20 : 1 << 10; n <= (simulated ? 1u << 20 : 1u << 28); n *= 4)
        cases.add({n});
      break;
  }
  return cases.take();
}

}  // namespace workbook
