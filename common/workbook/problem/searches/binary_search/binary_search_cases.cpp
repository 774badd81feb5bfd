// SPDX-License-Identifier: MIT
// The cases of searches: tables around every size where something ends, every type, and both bounds. Other cases have
// equal keys, the ends of the order, a table without keys, and an index above 2^31.
#include <algorithm>

#include "workbook/case/case_list.h"
#include "workbook/problem/searches/binary_search/binary_search_problem.h"

namespace workbook {
namespace {

constexpr KeyType kKeyTypes[] = {KeyType::unsigned_ints, KeyType::signed_ints, KeyType::floats};

class SearchCases : public CaseList {
 public:
  using CaseList::CaseList;

  // Types and bounds take turns, so that every few cases meet all six pairs.
  void add(TableKeys keys, Queries queries, std::size_t n, std::size_t m, const Values& values = {}) {
    Values all{{"type", static_cast<double>(kKeyTypes[turn() % 3])},
               {"bound", static_cast<double>(turn() / 3 % 2)},
               {"keys", static_cast<double>(keys)},
               {"queries", static_cast<double>(queries)},
               {"zeros", 0.0},
               {"misalign", 0.0},
               {"misalign-other", 0.0},
               {"calls", 1.0}};
    for (const auto& [name, value] : values) all[name] = value;
    add_seeded({n, m}, all);
  }
};

void add_quick(SearchCases& cases) {
  // One warp: this shows an endless loop at once.
  cases.add(TableKeys::neighbours, Queries::around, 33, 20);
  cases.add(TableKeys::neighbours, Queries::around, 1000, 333);
  cases.add(TableKeys::spread, Queries::uniform, 4099, 1021);
  cases.add(TableKeys::runs, Queries::around, 4099, 77);
  cases.add(TableKeys::short_runs, Queries::around, 300, 600);
  cases.add(TableKeys::equal, Queries::ends, 33, 65);
  cases.add(TableKeys::neighbours, Queries::ends, 1, 40);
}

// Both sides of a power of two, and primes, with every key and both its neighbours as queries.
void add_sizes(SearchCases& cases, const Sizes& sizes, std::size_t most_queries) {
  constexpr std::size_t kQueries[] = {0, 1, 31, 32, 33, 257, 1000};
  std::size_t turn = 0;
  for (const std::size_t n : sizes) {
    cases.add(TableKeys::neighbours, Queries::around, n, std::min(3 * n + 1, most_queries));
    cases.add(TableKeys::runs, Queries::around, n, std::min<std::size_t>(3 * n + 2, 200));
    cases.add(TableKeys::spread, Queries::ends, n, 40);
    cases.add(TableKeys::short_runs, Queries::uniform, n, kQueries[turn++ % 7]);
  }
}

void add_special(SearchCases& cases) {
  for (const TableKeys keys : {TableKeys::extremes, TableKeys::equal, TableKeys::runs, TableKeys::neighbours}) {
    for (int i = 0; i < 7; ++i) cases.add(keys, Queries::ends, 333, 50);  // all types and bounds
  }
  for (const double misalign : {1.0, 2.0, 3.0, 5.0, 8.0, 17.0, 31.0}) {
    cases.add(TableKeys::neighbours, Queries::around, 1030, 301,
              {{"misalign", misalign}, {"misalign-other", static_cast<double>(static_cast<int>(misalign) % 4)}});
    cases.add(TableKeys::neighbours, Queries::around, 20, 61, {{"misalign", misalign}});
  }
  cases.add(TableKeys::equal, Queries::equal, 20'011, 3001);
  cases.add(TableKeys::runs, Queries::around, 40'009, 100);
  cases.add(TableKeys::spread, Queries::clustered, 20'011, 3001);
  cases.add(TableKeys::spread, Queries::equal, 20'011, 3001);
  cases.add(TableKeys::neighbours, Queries::around, 20, 5003);
  cases.add(TableKeys::spread, Queries::uniform, 50'021, 1);
  cases.add(TableKeys::spread, Queries::uniform, 3001, 1000, {{"calls", 3.0}});
}

// The sum of two places is above 2^31, or above 2^32, in one warp. Only for stages without a workspace. A stage with
// one prepares data for the whole table, which takes a simulator minutes.
void add_sparse(SearchCases& cases, const dim3& shape) {
  for (const double zeros : {0x1p30, 0x1p31 - 1.0}) {
    for (int i = 0; i < 3; ++i) cases.add(TableKeys::neighbours, Queries::around, 101, 31, {{"zeros", zeros}});
  }
  cases.use_every_block({shape});
}

void add_hostile(SearchCases& cases, const std::vector<dim3>& shapes, bool has_workspace) {
  add_sizes(cases, {0, 1, 2, 3, 5, 7, 8, 9, 31, 32, 33, 63, 64, 65, 127, 129, 255, 257, 1021, 1023, 1024, 1025}, 700);
  add_special(cases);
  cases.use_blocks_in_turn(shapes);
  // For tops of every block, and more than they hold. The first table begins within a line of memory, so the index of
  // its first line does, too.
  cases.add(TableKeys::spread, Queries::uniform, 300'007, 5003, {{"misalign", 17.0}});
  cases.add(TableKeys::spread, Queries::ends, 1'100'003, 64);
  cases.use_every_block(shapes);
  if (!has_workspace) {
    add_sparse(cases, shapes.front());
    return;
  }
  // Two levels above the table, where the block is small; the first ends within a vector.
  cases.add(TableKeys::spread, Queries::uniform, 8'388'641, 64);
  // One level above the table, whose last line is whole: no line begins where the table ends.
  cases.add(TableKeys::spread, Queries::uniform, 262'176, 64);
  cases.use_every_block({shapes.back()});
}

void add_full(SearchCases& cases, const std::vector<dim3>& shapes, bool simulated) {
  add_sizes(cases, {4, 6, 11, 13, 127, 128, 511, 512, 513, 2047, 2049, 4095, 4096, 4097, 8191, 8193, 32'767, 65'537},
            30'000);
  add_special(cases);
  cases.add(TableKeys::spread, Queries::uniform, 2'097'153, 20'011);
  cases.add(TableKeys::runs, Queries::around, 2'097'151, 200);
  cases.add(TableKeys::neighbours, Queries::around, 300'007, 100'003);
  cases.add(TableKeys::spread, Queries::uniform, 5003, 300'007);
  cases.add(TableKeys::spread, Queries::uniform, 9973, 1009, {{"calls", simulated ? 20.0 : 1000.0}});
  cases.use_blocks_in_turn(shapes);
  if (!simulated) add_sparse(cases, shapes.front());
  // Two levels above the table, where the block is small.
  cases.add(TableKeys::spread, Queries::uniform, 16'777'219, 2003);
  cases.use_every_block({shapes.back()});
}

void add_bench(SearchCases& cases, bool are_sorted, bool simulated) {
  const auto add = [&](std::size_t n, std::size_t m) { cases.CaseList::add({n, m}); };
  constexpr std::size_t kTable = std::size_t{1} << 24, kLarge = std::size_t{1} << 28;
  if (simulated) {
    add(std::size_t{1} << 20, std::size_t{1} << 16);
    return;
  }
  for (std::size_t n = std::size_t{1} << 16; n <= kLarge; n *= 16) add(n, std::size_t{1} << 24);
  if (are_sorted) {
    add(std::size_t{1} << 26, std::size_t{1} << 26);
    add(kLarge, std::size_t{1} << 20);
    return;
  }
  for (const std::size_t m : {std::size_t{1} << 20, std::size_t{1} << 16, std::size_t{1}}) add(kTable, m);
  add(kLarge, 1);
}

}  // namespace

std::vector<Settings> SearchProblem::cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                                           bool simulated) const {
  SearchCases cases(standard);
  switch (purpose) {
    case Purpose::quick:
      add_quick(cases);
      cases.use_every_block(shapes);
      break;
    case Purpose::hostile:
      add_hostile(cases, shapes, form_.has_workspace());
      break;
    case Purpose::full:
      add_full(cases, shapes, simulated);
      cases.add_standard();
      break;
    case Purpose::lesson:
      cases.add_standard();
      break;
    case Purpose::bench:
      add_bench(cases, form_.has_sorted_queries, simulated);
      break;
  }
  return cases.take();
}

}  // namespace workbook
