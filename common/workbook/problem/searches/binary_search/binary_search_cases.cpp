// SPDX-License-Identifier: MIT
// The cases of searches: tables around every size at which something ends, every type, both bounds, and what a search
// forgets: equal keys, the ends of the order, a table without keys, an index above 2^31.
#include <algorithm>

#include "workbook/problem/searches/binary_search/binary_search_problem.h"

namespace workbook {
namespace {

constexpr KeyType kKeyTypes[] = {KeyType::unsigned_ints, KeyType::signed_ints, KeyType::floats};

// Collects cases that differ from the standard ones in what each is about. Types and bounds take turns unless a case
// says otherwise, so that every few cases meet all six.
class Collector {
 public:
  explicit Collector(const Settings& standard) : standard_(standard) {}

  Settings& add(TableKeys keys, Queries queries, std::size_t n, std::size_t m) {
    Settings settings = standard_;
    const std::size_t turn = cases_.size();
    settings.sizes = {n, m};
    settings.seed += static_cast<std::uint32_t>(turn);
    settings.options = {{"type", static_cast<double>(kKeyTypes[turn % 3])},
                        {"bound", static_cast<double>(turn / 3 % 2)},
                        {"keys", static_cast<double>(keys)},
                        {"queries", static_cast<double>(queries)},
                        {"zeros", 0.0},
                        {"misalign", 0.0},
                        {"misalign-other", 0.0},
                        {"calls", 1.0}};
    return cases_.emplace_back(settings);
  }

  std::vector<Settings> take() { return std::move(cases_); }

 private:
  Settings standard_;
  std::vector<Settings> cases_;
};

void append(std::vector<Settings>& cases, const std::vector<Settings>& more) {
  cases.insert(cases.end(), more.begin(), more.end());
}

std::vector<Settings> quick(const Settings& standard) {
  Collector bases(standard);
  bases.add(TableKeys::neighbours, Queries::around, 33, 20);  // a warp: a loop that never ends is told at once
  bases.add(TableKeys::neighbours, Queries::around, 1000, 333);
  bases.add(TableKeys::spread, Queries::uniform, 4099, 1021);
  bases.add(TableKeys::runs, Queries::around, 4099, 77);
  bases.add(TableKeys::short_runs, Queries::around, 300, 600);
  bases.add(TableKeys::equal, Queries::ends, 33, 65);
  bases.add(TableKeys::neighbours, Queries::ends, 1, 40);
  return bases.take();
}

// Both sides of a power of two, and primes, with every key and both its neighbours as queries.
void add_sizes(Collector& bases, const Sizes& sizes, std::size_t most_queries) {
  constexpr std::size_t kQueries[] = {0, 1, 31, 32, 33, 257, 1000};
  std::size_t turn = 0;
  for (const std::size_t n : sizes) {
    bases.add(TableKeys::neighbours, Queries::around, n, std::min(3 * n + 1, most_queries));
    bases.add(TableKeys::runs, Queries::around, n, std::min<std::size_t>(3 * n + 2, 200));
    bases.add(TableKeys::spread, Queries::ends, n, 40);
    bases.add(TableKeys::short_runs, Queries::uniform, n, kQueries[turn++ % 7]);
  }
}

void add_special(Collector& bases) {
  for (const TableKeys keys : {TableKeys::extremes, TableKeys::equal, TableKeys::runs, TableKeys::neighbours}) {
    for (int i = 0; i < 7; ++i) bases.add(keys, Queries::ends, 333, 50);  // all types and bounds
  }
  for (const double misalign : {1.0, 2.0, 3.0, 5.0, 8.0, 17.0, 31.0}) {
    Settings& settings = bases.add(TableKeys::neighbours, Queries::around, 1030, 301);
    settings.options["misalign"] = misalign;
    settings.options["misalign-other"] = static_cast<double>(static_cast<int>(misalign) % 4);
    bases.add(TableKeys::neighbours, Queries::around, 20, 61).options["misalign"] = misalign;
  }
  bases.add(TableKeys::equal, Queries::equal, 20'011, 3001);
  bases.add(TableKeys::runs, Queries::around, 40'009, 100);
  bases.add(TableKeys::spread, Queries::clustered, 20'011, 3001);
  bases.add(TableKeys::spread, Queries::equal, 20'011, 3001);
  bases.add(TableKeys::neighbours, Queries::around, 20, 5003);
  bases.add(TableKeys::spread, Queries::uniform, 50'021, 1);
  bases.add(TableKeys::spread, Queries::uniform, 3001, 1000).options["calls"] = 3.0;
}

// Where the sum of two places is above 2^31, or above 2^32, in one warp. For stages without a workspace: those with one
// prepare something for all of the table there, which takes a simulator minutes.
std::vector<Settings> far_cases(const Settings& standard, const dim3& shape) {
  Collector bases(standard);
  for (const double zeros : {0x1p30, 0x1p31 - 1.0}) {
    for (int i = 0; i < 3; ++i) {
      Settings& settings = bases.add(TableKeys::neighbours, Queries::around, 101, 31);
      settings.options["zeros"] = zeros;
    }
  }
  return with_blocks(bases.take(), {shape});
}

}  // namespace

std::vector<Settings> SearchProblem::cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                                           bool simulated) const {
  Collector bases(standard);
  switch (purpose) {
    case Purpose::quick:
      return with_blocks(quick(standard), shapes);
    case Purpose::hostile: {
      add_sizes(bases, {0, 1, 2, 3, 5, 7, 8, 9, 31, 32, 33, 63, 64, 65, 127, 129, 255, 257, 1021, 1023, 1024, 1025},
                700);
      add_special(bases);
      std::vector<Settings> cases = with_blocks_in_turn(bases.take(), shapes);
      Collector large(standard);  // for tops of every block, and more than they hold
      // The first table begins within a line of memory, so that what stands for its first line does, too.
      large.add(TableKeys::spread, Queries::uniform, 300'007, 5003).options["misalign"] = 17.0;
      large.add(TableKeys::spread, Queries::ends, 1'100'003, 64);
      append(cases, with_blocks(large.take(), shapes));
      if (!form_.has_workspace()) append(cases, far_cases(standard, shapes.front()));
      if (form_.has_workspace()) {
        Collector levels(standard);  // two above the table, where the block is small; the first ends within a vector
        levels.add(TableKeys::spread, Queries::uniform, 8'388'641, 64);
        append(cases, with_blocks(levels.take(), {shapes.back()}));
      }
      return cases;
    }
    case Purpose::full: {
      add_sizes(bases,
                {4, 6, 11, 13, 127, 128, 511, 512, 513, 2047, 2049, 4095, 4096, 4097, 8191, 8193, 32'767, 65'537},
                30'000);
      add_special(bases);
      bases.add(TableKeys::spread, Queries::uniform, 2'097'153, 20'011);
      bases.add(TableKeys::runs, Queries::around, 2'097'151, 200);
      bases.add(TableKeys::neighbours, Queries::around, 300'007, 100'003);
      bases.add(TableKeys::spread, Queries::uniform, 5003, 300'007);
      bases.add(TableKeys::spread, Queries::uniform, 9973, 1009).options["calls"] = simulated ? 20.0 : 1000.0;
      std::vector<Settings> cases = with_blocks_in_turn(bases.take(), shapes);
      if (!simulated) append(cases, far_cases(standard, shapes.front()));
      Collector large(standard);  // two levels above the table, where the block is small
      large.add(TableKeys::spread, Queries::uniform, 16'777'219, 2003);
      append(cases, with_blocks(large.take(), {shapes.back()}));
      cases.push_back(standard);
      return cases;
    }
    case Purpose::lesson:
      return {standard};
    case Purpose::bench:
      break;
  }
  std::vector<Settings> cases;
  const auto add = [&](std::size_t n, std::size_t m) {
    Settings settings = standard;
    settings.sizes = {n, m};
    cases.push_back(settings);
  };
  if (simulated) {
    add(std::size_t{1} << 20, std::size_t{1} << 16);
    return cases;
  }
  constexpr std::size_t kMany = std::size_t{1} << 24;
  for (std::size_t n = std::size_t{1} << 16; n <= std::size_t{1} << 28; n *= 16) add(n, kMany);
  if (form_.has_sorted_queries) {
    add(std::size_t{1} << 26, std::size_t{1} << 26);
    add(std::size_t{1} << 28, std::size_t{1} << 20);
  } else {
    add(std::size_t{1} << 24, std::size_t{1} << 20);
    add(std::size_t{1} << 24, std::size_t{1} << 16);
    add(std::size_t{1} << 24, 1);
    add(std::size_t{1} << 28, 1);
  }
  return cases;
}

}  // namespace workbook
