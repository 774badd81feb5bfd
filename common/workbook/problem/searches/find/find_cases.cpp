// SPDX-License-Identifier: MIT
// The cases of a search: hits and sizes on both sides of every possible border.
#include "workbook/case/case_list.h"
#include "workbook/problem/searches/find/find_problem.h"

namespace workbook {
namespace {

class FindCases : public CaseList {
 public:
  using CaseList::CaseList;

  // Types take turns unless a case sets one.
  FindCases& add(std::size_t n, Places places, std::size_t at = 0) {
    add_seeded({n}, {{"hits", static_cast<double>(places)},
                     {"at", static_cast<double>(at)},
                     {"type", static_cast<double>(turn() % 3)}});
    return *this;
  }
  /// Changes the case that was added last.
  FindCases& with(const char* option, double value) {
    const auto found = rows().back().options.find(option);
    if (found != rows().back().options.end()) found->second = value;
    return *this;
  }
  FindCases& of(FindType type, Wanted wanted) {
    return with("type", static_cast<double>(type)).with("wanted", static_cast<double>(wanted));
  }
};

constexpr FindType kFindTypes[] = {FindType::uints, FindType::ints, FindType::floats};
constexpr Wanted kSpecial[] = {Wanted::zero, Wanted::ones};

// The keys that a block, a warp or a vector may take at a time. The cases put one key before and at each border.
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

// Twice: in adversarial order, in one of two launches of a kernel, all blocks have published before the first of them
// looks. Each block of a look back then finds more than a warp of tiles that know their own hits alone.
void add_large(FindCases& cases) {
  cases.add(300'007, Places::ends, 150'000).add(300'007, Places::sixteenth).with("calls", 2.0);
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

void add_bench(FindCases& cases, bool is_first, bool simulated) {
  const std::vector<Places> places =
      is_first ? std::vector<Places>{Places::none, Places::one, Places::middle, Places::sixteenth}
               : std::vector<Places>{Places::sixteenth, Places::none, Places::all};
  if (simulated) {
    cases.CaseList::add({1 << 20}, {{"hits", static_cast<double>(places[0])}});
    return;
  }
  for (std::size_t n = 1 << 10; n <= 1u << 28; n *= 4) {
    for (const Places hits : places) cases.CaseList::add({n}, {{"hits", static_cast<double>(hits)}});
  }
}

}  // namespace

std::vector<Settings> FindProblem::cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                                         bool simulated) const {
  FindCases cases(standard);
  switch (purpose) {
    case Purpose::quick:
      add_quick(cases);
      cases.use_every_block(shapes);
      break;
    case Purpose::hostile:
      add_hostile(cases);
      cases.use_blocks_in_turn(shapes);
      add_large(cases);
      cases.use_every_block(shapes);
      // More than all blocks of a device together take at a time, so a block or a warp repeats its loop.
      cases.add(4'700'003, first() != nullptr ? Places::ends : Places::sixteenth, 4'600'000);
      cases.use_every_block({shapes.back()});
      break;
    case Purpose::full:
      add_full(cases);
      cases.use_blocks_in_turn(shapes);
      cases.add_standard();
      break;
    case Purpose::lesson:
      cases.add_standard();
      break;
    case Purpose::bench:
      add_bench(cases, first() != nullptr, simulated);
      break;
  }
  return cases.take();
}

}  // namespace workbook
