// SPDX-License-Identifier: MIT
// The cases of sorts: all keys, types and values, and sizes around every power of two.
#include "workbook/case/case_list.h"
#include "workbook/problem/sorts/sort/sort_problem.h"

namespace workbook {
namespace {

constexpr KeyType kTypes[] = {KeyType::unsigned_ints, KeyType::signed_ints, KeyType::floats};
constexpr Keys kAllKeys[] = {Keys::uniform,  Keys::equal,       Keys::zeros,    Keys::two,           Keys::sorted,
                             Keys::reversed, Keys::organ_pipe,  Keys::sawtooth, Keys::nearly_sorted, Keys::extremes,
                             Keys::padding,  Keys::low_entropy, Keys::special};

// The cases of a sort. No case has more keys than the stage promises to sort.
class SortCases : public CaseList {
 public:
  SortCases(const Settings& standard, std::size_t largest) : CaseList(standard), largest_(largest) {}

  // Settings that are not given take turns: types, values, and seeds.
  void add(std::size_t n, Keys keys, const Values& values = {}) {
    if (n > largest_) return;
    const auto turn = static_cast<double>(this->turn() % 3), slow_turn = static_cast<double>(this->turn() / 3 % 3);
    Values all{{"distribution", static_cast<double>(keys)}, {"type", turn}, {"values", slow_turn}};
    for (const auto& [name, value] : values) all[name] = value;
    add_seeded({n}, all);
  }
  // Settings that are not given have the standard value.
  void add_plain(std::size_t n, Keys keys) {
    if (n <= largest_) CaseList::add({n}, {{"distribution", static_cast<double>(keys)}});
  }

 private:
  std::size_t largest_;
};

void add_quick(SortCases& cases) {
  for (const std::size_t n : Sizes{64, 1, 2, 33, 1000, 1024, 4097}) cases.add(n, Keys::uniform);
  cases.add(3000, Keys::two, {{"values", 2.0}});
  cases.add(2500, Keys::padding, {{"values", 1.0}});
  cases.add(1100, Keys::special, {{"type", 2.0}, {"values", 1.0}});
}

void add_hostile(SortCases& cases, bool is_stable) {
  for (const Keys keys : kAllKeys) {
    // Keys alone, and keys with each kind of values; each with a type of its own.
    const auto number = static_cast<std::size_t>(keys);
    const double which = number % 2 == 0 ? 2.0 : 1.0;
    cases.add(1000 + 111 * number, keys, {{"values", 0.0}, {"type", 0.0}});
    cases.add(1074 + 111 * number, keys, {{"values", which}, {"type", which}});
  }
  for (const std::size_t n : Sizes{0,    3,    31,   32,   255,  257,  511,  512,  513,    1023,   1025,
                                   2047, 2048, 2049, 4095, 4096, 8191, 8192, 8193, 10'007, 16'383, 16'384}) {
    cases.add(n, n % 2 == 0 ? Keys::uniform : Keys::two);
  }
  for (const double misalign : {1.0, 2.0, 3.0}) {
    cases.add(2000, Keys::uniform, {{"misalign", misalign}});
    cases.add(2051, Keys::uniform, {{"misalign", misalign}, {"output-misalign", misalign}, {"values", 1.0}});
    cases.add(2053, Keys::low_entropy, {{"output-misalign", misalign}});
  }
  cases.add(5000, Keys::uniform, {{"calls", 2.0}, {"values", 1.0}});
  cases.add(4999, Keys::two, {{"calls", 3.0}, {"values", 2.0}});
  // Tiles of many sizes and one more key: an odd and an even number of passes over them.
  cases.add(16'385, Keys::low_entropy);
  if (is_stable) {
    cases.add(20'480, Keys::low_entropy);
    cases.add(34'819, Keys::organ_pipe, {{"values", 1.0}});  // four tiles of stage 35, and three keys
  } else {
    // For so many keys, stage 33 makes two passes until its partners lie in one tile. The second pass does two steps.
    cases.add(131'100, Keys::low_entropy, {{"values", 0.0}});
  }
}

void add_full(SortCases& cases, bool simulated) {
  for (const Keys keys : kAllKeys) {
    for (const KeyType type : kTypes) {
      for (const double values : {0.0, 1.0, 2.0}) {
        const CaseList::Values options{{"type", static_cast<double>(type)}, {"values", values}};
        for (const std::size_t n : Sizes{2, 33, 1025, 4099, 16'384}) cases.add(n, keys, options);
      }
    }
    cases.add(100'003, keys, {{"values", 1.0}});
  }
  for (std::size_t n = 0; n <= 130; ++n) cases.add(n, Keys::uniform);
  for (std::size_t n = 256; n <= 65'536; n *= 2) {
    for (const std::size_t near : Sizes{n - 1, n, n + 1, 2 * n + 1}) cases.add(near, Keys::uniform);
  }
  cases.add(3001, Keys::two, {{"values", 1.0}, {"calls", simulated ? 20.0 : 1000.0}});
  cases.add(1'000'003, Keys::low_entropy, {{"values", 1.0}});
}

void add_bench(SortCases& cases, bool simulated) {
  const std::size_t largest = simulated ? std::size_t{1024} : std::size_t{1} << 28;
  for (std::size_t n = 1024; n <= largest; n *= 4) cases.add_plain(n, Keys::uniform);
  if (simulated) return;
  for (const Keys keys : {Keys::sorted, Keys::two, Keys::low_entropy}) cases.add_plain(std::size_t{1} << 24, keys);
}

}  // namespace

std::vector<Settings> SortProblem::cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                                         bool simulated) const {
  SortCases cases(standard, promise_.largest);
  switch (purpose) {
    case Purpose::quick:
      add_quick(cases);
      break;
    case Purpose::hostile:
      add_hostile(cases, promise_.is_stable);
      break;
    case Purpose::full:
      add_full(cases, simulated);
      break;
    case Purpose::lesson:
      cases.add_standard();
      return cases.take();
    case Purpose::bench:
      add_bench(cases, simulated);
      return cases.take();
  }
  cases.use_blocks_in_turn(shapes);
  return cases.take();
}

}  // namespace workbook
