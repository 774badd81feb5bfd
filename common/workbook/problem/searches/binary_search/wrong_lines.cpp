// SPDX-License-Identifier: MIT
// A place is a line, and a count of keys in it. Each wrong place is taken apart into these two.
#include "workbook/problem/searches/binary_search/wrong_lines.h"

#include <algorithm>
#include <set>

namespace workbook {
namespace {

constexpr std::size_t kKeysOfLine = 32;
constexpr std::size_t kQueriesOfWarp = 32;
constexpr double kChance = 1e-4;  // that wrong places are so by chance

// The position behind the keys in front, counted from the beginning of the first line. The line is the last one that
// has a key in front, or the first.
struct PlaceInLine {
  explicit PlaceInLine(std::size_t position)
      : line(position == 0 ? 0 : (position - 1) / kKeysOfLine), count(position - line * kKeysOfLine) {}
  std::size_t line, count;
};

}  // namespace

std::string describe_wrong_lines(const std::vector<std::uint32_t>& expected, const std::vector<std::uint32_t>& got,
                                 std::size_t n, std::size_t begin) {
  bool begin_next_line = true, count_for_another = true;
  double of_next_line = 1.0, of_another = 1.0;  // the chance of each
  for (std::size_t j = 0; j < got.size(); ++j) {
    if (got[j] == expected[j]) continue;
    const std::size_t line = PlaceInLine(begin + expected[j]).line;
    const auto place_of_count = [&](std::size_t count) {
      return std::min(std::max(line * kKeysOfLine + count, begin), begin + n) - begin;
    };
    begin_next_line = begin_next_line && got[j] == place_of_count(kKeysOfLine);
    of_next_line /= kKeysOfLine;
    const std::size_t first = j / kQueriesOfWarp * kQueriesOfWarp, last = std::min(first + kQueriesOfWarp, got.size());
    std::set<std::size_t> places;                                         // by the counts of the warp's queries
    if (last - first < kQueriesOfWarp) places.insert(place_of_count(0));  // that of a lane without a query
    for (std::size_t i = first; i < last; ++i) {
      places.insert(place_of_count(PlaceInLine(begin + expected[i]).count));
    }
    count_for_another = count_for_another && places.count(got[j]) == 1;
    of_another *= static_cast<double>(places.size()) / (kKeysOfLine + 1.0);
  }
  if (begin_next_line && of_next_line < kChance) {
    return "every wrong place is the first of the next 32 keys, a line of memory: was the line behind the right one "
           "asked, where no key is in front?";
  }
  if (count_for_another && of_another < kChance) {
    return "every wrong place is in the right 32 keys, and counts as many of them as another query of its warp has in "
           "front: does a lane take the count of another lane's query?";
  }
  return "";
}

}  // namespace workbook
