// SPDX-License-Identifier: MIT
// Two ways to an explanation. Groups: what lies before each group of 4, 128, ... elements is wrong in one of a few
// ways, and this holds for every wrong element. Ranges: the first wrong element is the sum of another range of
// elements.
#include "workbook/problem/sums/scan/scan_mistakes.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <type_traits>
#include <unordered_map>

namespace workbook {
namespace {

constexpr std::size_t kMost = std::size_t{1} << 15;  // elements: each group adds up what lies before
constexpr std::size_t kGroups[] = {8192, 4096, 2048, 1024, 512, 256, 128, 64, 32, 16, 4};  // the largest is named

template <typename T>
std::uint32_t bits(const T& value) {
  std::uint32_t word = 0;
  std::memcpy(&word, &value, sizeof word);
  return word;
}

std::string elements_text(std::size_t begin, std::size_t end) {
  if (end - begin == 1) return "element " + std::to_string(begin);
  return "elements " + std::to_string(begin) + " to " + std::to_string(end - 1);
}

template <typename T>
class ScanMistakes {
 public:
  ScanMistakes(const ScanAsked<T>& asked, const std::vector<T>& got) : asked_(asked), got_(got) {
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (bits(got[i]) != bits(asked.expected[i])) wrong_.push_back(i);
    }
  }

  std::string first_that_holds() const {
    if (wrong_.empty()) return "";
    if (wrong_.size() > 1) {
      for (const std::size_t size : kGroups) {
        if (size >= std::min(asked_.tile, got_.size())) continue;
        if (const std::string found = of_groups(size); !found.empty())
          return (are_ones() ? "; the counts fit this: " : "; ") + found;
      }
    }
    if (are_ones()) return "";
    const std::string found = range_of_first();
    return found.empty() ? "" : "; " + found;
  }

 private:
  bool are_ones() const { return asked_.elements == Elements::ones; }
  std::size_t tile_of(std::size_t i) const { return asked_.tile > i ? 0 : i / asked_.tile * asked_.tile; }
  // Behind the last element that belongs to the result of element i.
  std::size_t end_of(std::size_t i) const { return asked_.scan == Scan::inclusive ? i + 1 : i; }
  T sum(std::size_t begin, std::size_t end) const {
    T result = identity<T>();
    for (std::size_t i = begin; i < std::min(end, got_.size()); ++i) result = combine(result, asked_.input[i]);
    return result;
  }

  // What the wrong elements of each group begin with, in place of all that lies before the group.
  struct Way {
    const char* before;  // of the sentence, up to the size of the group
    const char* behind;
    T (*begin)(const ScanMistakes&, std::size_t tile, std::size_t group, std::size_t size);
  };
  std::string of_groups(std::size_t size) const {
    static const Way kWays[] = {
        {"what lies before each ", " elements is missing: their sums begin with the first of them",
         [](const ScanMistakes&, std::size_t, std::size_t, std::size_t) { return identity<T>(); }},
        {"of what lies before each ", " elements, only as many are there: the others before them are missing",
         [](const ScanMistakes& s, std::size_t tile, std::size_t group, std::size_t size) {
           return s.sum(std::max(tile, group - std::min(group, size)), group);
         }},
        {"in what lies before each ", " elements, these are counted, too: they count twice (inclusive for exclusive)",
         [](const ScanMistakes& s, std::size_t tile, std::size_t group, std::size_t size) {
           return s.sum(tile, group + size);
         }},
        {"of what lies before each ", " elements, the last as many are missing",
         [](const ScanMistakes& s, std::size_t tile, std::size_t group, std::size_t size) {
           return s.sum(tile, group - std::min(group - tile, size));
         }},
        {"of what lies before each ", " elements, the last one is missing",
         [](const ScanMistakes& s, std::size_t tile, std::size_t group, std::size_t) {
           return s.sum(tile, std::max(group, tile + 1) - 1);
         }},
    };
    for (const Way& way : kWays) {
      if (&way == std::end(kWays) - 1 && are_ones()) break;  // any one may be missing
      if (explains(size, way, false)) return way.before + std::to_string(size) + way.behind;
    }
    if constexpr (std::is_same_v<T, Affine>) {
      const Way all = {"", "", [](const ScanMistakes& s, std::size_t tile, std::size_t group, std::size_t) {
                         return s.sum(tile, group);
                       }};
      if (explains(size, all, true)) {
        return "what lies before each " + std::to_string(size) +
               " elements is the second operand of combine(), and must be the first";
      }
    }
    return "";
  }
  // `swapped`: what the group begins with is combined as the second operand.
  bool explains(std::size_t size, const Way& way, bool swapped) const {
    std::size_t known = ~std::size_t{0};
    T begin = identity<T>(), inside = identity<T>();
    std::size_t next = 0;
    for (const std::size_t i : wrong_) {
      const std::size_t tile = tile_of(i), group = tile + (i - tile) / size * size;
      if (group != known) {
        known = next = group;
        begin = way.begin(*this, tile, group, size);
        inside = identity<T>();
      }
      for (; next < end_of(i); ++next) inside = combine(inside, asked_.input[next]);
      if (bits(swapped ? combine(inside, begin) : combine(begin, inside)) != bits(got_[i])) return false;
    }
    return true;
  }

  std::string range_of_first() const {
    const std::size_t i = wrong_.front(), tile = tile_of(i), end = end_of(i);
    const std::uint32_t word = bits(got_[i]);
    const std::string first = "element " + std::to_string(i) + " has the sum of ";
    T up_to = identity<T>();
    for (std::size_t last = tile; last < got_.size(); ++last) {
      up_to = combine(up_to, asked_.input[last]);
      if (bits(up_to) == word) return first + elements_text(tile, last + 1);
    }
    T from = identity<T>();
    for (std::size_t begin = end; begin-- > tile;) {
      from = combine(asked_.input[begin], from);
      if (bits(from) == word) return first + elements_text(begin, end) + ": what lies before these is missing";
    }
    if constexpr (std::is_same_v<T, int>) return lacking_range(i, tile, end);
    return exchanged_parts(i, tile, end);
  }
  // For a map: two parts of what lies before are combined the other way round. The element itself, or the last of its
  // four, may come behind both.
  std::string exchanged_parts(std::size_t i, std::size_t tile, std::size_t end) const {
    for (const std::size_t both : {end, tile + (end - tile) / 4 * 4}) {
      const T behind = sum(both, end);
      std::vector<T> up_to{identity<T>()};
      for (std::size_t j = tile; j < both; ++j) up_to.push_back(combine(up_to.back(), asked_.input[j]));
      T second = identity<T>();
      for (std::size_t cut = both; cut-- > tile + 1;) {
        second = combine(asked_.input[cut], second);
        if (bits(combine(combine(second, up_to[cut - tile]), behind)) != bits(got_[i])) continue;
        return "in element " + std::to_string(i) + ", " + elements_text(cut, both) +
               (both - cut == 1 ? " comes" : " come") + " in front of " + elements_text(tile, cut) +
               ": the operands of combine() are exchanged";
      }
    }
    return "";
  }
  // For an int: the only range whose sum is what is missing, or too much.
  std::string lacking_range(std::size_t i, std::size_t tile, std::size_t end) const {
    if (end - tile > 1024) return "";  // among more ranges, one may fit by chance
    const std::uint32_t lacks = bits(asked_.expected[i]) - bits(got_[i]);
    std::unordered_map<std::uint32_t, std::size_t> begins;  // by the sum up to there
    std::uint32_t up_to = 0;
    for (std::size_t last = tile; last < end; ++last) {
      begins.emplace(up_to, last);
      up_to += bits(asked_.input[last]);
      for (const bool twice : {false, true}) {
        const auto begin = begins.find(twice ? up_to + lacks : up_to - lacks);
        if (begin == begins.end()) continue;
        return "in element " + std::to_string(i) + ", " + elements_text(begin->second, last + 1) +
               (last == begin->second ? " is" : " are") + (twice ? " counted twice" : " missing");
      }
    }
    return "";
  }

  const ScanAsked<T>& asked_;
  const std::vector<T>& got_;
  std::vector<std::size_t> wrong_;
};

}  // namespace

template <typename T>
std::string known_scan_mistake(const ScanAsked<T>& asked, const std::vector<T>& got) {
  if (std::is_same_v<T, float> || got.size() > kMost) return "";
  return ScanMistakes<T>(asked, got).first_that_holds();
}
template std::string known_scan_mistake(const ScanAsked<int>&, const std::vector<int>&);
template std::string known_scan_mistake(const ScanAsked<float>&, const std::vector<float>&);
template std::string known_scan_mistake(const ScanAsked<Affine>&, const std::vector<Affine>&);

}  // namespace workbook
