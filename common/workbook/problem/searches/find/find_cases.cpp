// SPDX-License-Identifier: MIT
// The cases of a search: hits on both sides of whatever may be a border, and sizes likewise.
#include "workbook/problem/searches/find/find_problem.h"

namespace workbook {
namespace {

// The same settings with other values of some options.
class FindCases {
 public:
  explicit FindCases(const Settings& standard) : standard_(standard) {}

  FindCases& add(std::size_t n, Places places, std::size_t at = 0) {
    Settings settings = standard_;
    settings.sizes = {n};
    settings.seed += static_cast<std::uint32_t>(bases.size());
    settings.options["hits"] = static_cast<double>(places);
    settings.options["at"] = static_cast<double>(at);
    settings.options["type"] = static_cast<double>(bases.size() % 3);  // in turn
    bases.push_back(settings);
    return *this;
  }
  /// Of the last one that was added.
  FindCases& with(const char* option, double value) {
    const auto found = bases.back().options.find(option);
    if (found != bases.back().options.end()) found->second = value;
    return *this;
  }
  FindCases& of(FindType type, Wanted wanted) {
    return with("type", static_cast<double>(type)).with("wanted", static_cast<double>(wanted));
  }

  std::vector<Settings> bases;

 private:
  Settings standard_;
};

constexpr FindType kFindTypes[] = {FindType::uints, FindType::ints, FindType::floats};
constexpr Wanted kSpecial[] = {Wanted::zero, Wanted::ones};

// What a block, a warp or a vector may take at a time; one key before and at each.
const Sizes& borders() {
  static const Sizes sizes{1, 4, 32, 128, 1024, 2048, 4096, 8192, 16'384};
  return sizes;
}

void add_quick(FindCases& cases) {
  cases.add(1003, Places::one, 517).add(4097, Places::sixteenth).add(1, Places::all).add(2, Places::one, 1);
  cases.add(33, Places::none).add(40'009, Places::ends, 20'000).with("calls", 3.0).add(20'011, Places::two, 9000);
  cases.add(4096, Places::none).of(FindType::uints, Wanted::zero);
  cases.add(5003, Places::all).of(FindType::floats, Wanted::zero).with("misalign", 1.0);
}

void add_hostile(FindCases& cases) {
  for (const std::size_t n : Sizes{0, 1, 2, 3, 31, 32, 33, 127, 257, 1023, 1025, 2049, 4095, 8193, 16'385}) {
    cases.add(n, Places::none).add(n, Places::one, n).add(n, Places::sixteenth).add(n, Places::all);
  }
  for (const std::size_t border : borders()) {
    cases.add(20'011, Places::one, border - 1).add(20'011, Places::two, border);
    cases.add(border, Places::sixteenth).add(border + 1, Places::one, border);
  }
  for (const double misalign : {1.0, 2.0, 3.0}) {
    for (const std::size_t n : Sizes{1, 2, 3, 4, 5, 4097}) cases.add(n, Places::sixteenth).with("misalign", misalign);
    for (const std::size_t at : Sizes{0, 1, 2, 4096}) cases.add(4097, Places::one, at).with("misalign", misalign);
    cases.add(4097, Places::all).with("misalign", misalign);
  }
  for (const FindType type : kFindTypes) {
    for (const Wanted wanted : kSpecial) {
      cases.add(4203, Places::sixteenth).of(type, wanted).add(4203, Places::none).of(type, wanted);
      cases.add(4203, Places::one, 4202).of(type, wanted).with("misalign", 3.0);
    }
  }
  cases.add(65'539, Places::runs).with("calls", 2.0).add(65'539, Places::runs).with("room", 50.0);
  cases.add(4097, Places::all).with("room", 0.0).add(100'003, Places::sixteenth).with("room", 37.0);
  cases.add(20'011, Places::one, 20'010).with("calls", 4.0).add(20'011, Places::sixteenth).with("calls", 5.0);
}

void add_large(FindCases& cases) {
  cases.add(300'007, Places::ends, 150'000).add(300'007, Places::sixteenth);
  cases.add(300'007, Places::runs).with("misalign", 1.0);
}

void add_full(FindCases& cases) {
  for (const std::size_t n : Sizes{0, 1, 2, 31, 32, 33, 1023, 1024, 1025, 4095, 4096, 4097, 65'537, 100'003}) {
    for (const Places places : {Places::none, Places::one, Places::middle, Places::two, Places::ends, Places::sixteenth,
                                Places::runs, Places::all}) {
      for (const std::size_t misalign : Sizes{0, 1}) {
        cases.add(n, places, n / 3).with("misalign", static_cast<double>(misalign));
      }
    }
  }
  for (const std::size_t border : borders()) {
    for (const std::size_t at : {border - 1, border, border + 1}) cases.add(40'009, Places::two, at);
  }
  for (const FindType type : kFindTypes) {
    for (const Wanted wanted : kSpecial) {
      for (const Places places : {Places::none, Places::sixteenth, Places::all}) {
        cases.add(100'003, places).of(type, wanted);
      }
    }
  }
  cases.add(100'003, Places::sixteenth).with("calls", 100.0).add(100'003, Places::ends, 50'000).with("calls", 100.0);
}

}  // namespace

std::vector<Settings> FindProblem::cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                                         bool simulated) const {
  FindCases cases(standard);
  switch (purpose) {
    case Purpose::quick:
      add_quick(cases);
      return with_blocks(cases.bases, shapes);
    case Purpose::hostile: {
      add_hostile(cases);
      std::vector<Settings> all = with_blocks_in_turn(cases.bases, shapes);
      FindCases large(standard);
      add_large(large);
      for (const Settings& settings : with_blocks(large.bases, shapes)) all.push_back(settings);
      // More than all blocks of a device together take at a time: then a block or a warp goes round more than once.
      FindCases largest(standard);
      largest.add(4'700'003, first() != nullptr ? Places::ends : Places::sixteenth, 4'600'000);
      largest.bases.back().block = shapes.back();
      all.push_back(largest.bases.back());
      return all;
    }
    case Purpose::full: {
      add_full(cases);
      std::vector<Settings> all = with_blocks_in_turn(cases.bases, shapes);
      all.push_back(standard);
      return all;
    }
    case Purpose::lesson:
      return {standard};
    case Purpose::bench:
      break;
  }
  const std::vector<Places> rows =
      first() != nullptr ? std::vector<Places>{Places::none, Places::one, Places::middle, Places::sixteenth}
                         : std::vector<Places>{Places::sixteenth, Places::none, Places::all};
  for (std::size_t n = simulated ? 1 << 20 : 1 << 10; n <= (simulated ? 1u << 20 : 1u << 28); n *= 4) {
    for (const Places places : rows) {
      if (simulated && places != rows[0]) continue;
      cases.bases.push_back(standard);
      cases.bases.back().sizes = {n};
      cases.with("hits", static_cast<double>(places));
    }
  }
  return cases.bases;
}

}  // namespace workbook
