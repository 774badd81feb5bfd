// SPDX-License-Identifier: MIT
// Sentences on how often elements were counted: one for each wrong count, lost elements first.
#include "workbook/judge/element_counts.h"

#include <algorithm>
#include <map>
#include <utility>

#include "workbook/judge/number_text.h"

namespace workbook {
namespace {

using Mask = std::vector<bool>;

// The least period that divides the mask into two or more parts, or 0.
std::size_t period_of(const Mask& mask) {
  for (std::size_t period = 2; period <= mask.size() / 2; ++period) {
    if (std::equal(mask.begin() + static_cast<std::ptrdiff_t>(period), mask.end(), mask.begin())) return period;
  }
  return 0;
}

// The place of the elements: "elements 96 to 99, the last 4".
std::string places_of(const Mask& mask, const ElementCounts& counts) {
  const std::string& thing = counts.thing;
  const std::size_t n = mask.size();
  const auto next = [&](bool value, std::size_t from) {
    const auto found = std::find(mask.begin() + static_cast<std::ptrdiff_t>(from), mask.end(), value);
    return static_cast<std::size_t>(found - mask.begin());
  };
  const auto count = static_cast<std::size_t>(std::count(mask.begin(), mask.end(), true));
  const std::size_t first = next(true, 0), end = next(false, first);
  const std::string number = std::to_string(count);
  if (end - first == count) {
    const std::string many = count == 1 ? "" : " " + number;
    const char* const which = first == 0 ? ", the first" : ", the last";
    return (count == 1 ? thing + " " : thing + "s ") + std::to_string(first) +
           (count == 1 ? "" : (count == 2 ? " and " : " to ") + std::to_string(end - 1)) +
           (first == 0 || end == n ? which + many : std::string()) +
           (count > 1 && count == counts.block_threads ? ", as many as a block has threads" : "");
  }
  if (const std::size_t period = period_of(mask); period > 0) {
    const std::size_t length = end - first;
    const auto in_period =
        static_cast<std::size_t>(std::count(mask.begin(), mask.begin() + static_cast<std::ptrdiff_t>(period), true));
    if (in_period == 1) return "every " + ordinal(period) + " " + thing + ", beginning with " + std::to_string(first);
    if (in_period == length && (first == 0 || end == period)) {
      return "the " + std::string(first == 0 ? "first " : "last ") + std::to_string(length) + " of every " +
             std::to_string(period) + " " + thing + "s";
    }
  }
  constexpr std::size_t kMostRuns = 3;
  std::string list;
  std::size_t named = 0;
  for (std::size_t run = 0, begin = first; run < kMostRuns && begin < n; ++run) {
    const std::size_t behind = next(false, begin), following = next(true, behind);
    named += behind - begin;
    list += (run == 0         ? " "
             : named == count ? " and "
                              : ", ") +
            std::to_string(begin) + (behind - begin == 1 ? "" : " to " + std::to_string(behind - 1));
    begin = following;
  }
  return thing + "s" + list + (named < count ? " and " + std::to_string(count - named) + " more" : "");
}

// Elements with the same wrong count and the same wanted count.
struct Group {
  double times = 0.0;
  double wanted = 0.0;
  Mask mask;
  std::size_t count = 0;
};

std::vector<Group> groups_of(const ElementCounts& counts) {
  std::map<std::pair<double, double>, Group> groups;
  const std::size_t n = counts.times.size();
  for (std::size_t i = 0; i < n; ++i) {
    const double times = counts.times[i], wanted = counts.wanted_at(i);
    if (times == wanted) continue;
    const std::pair key(times, times == 0.0 ? 0.0 : wanted);  // lost elements form one group
    Group& group = groups.try_emplace(key, Group{times, wanted, Mask(n)}).first->second;
    group.mask[i] = true;
    ++group.count;
  }
  std::vector<Group> list;
  list.reserve(groups.size());
  for (auto& entry : groups) list.push_back(std::move(entry.second));
  return list;
}

std::string counted(const ElementCounts& counts, const Group& group, bool is_many) {
  const std::string verb = is_many ? "are " : "is ";
  if (group.times == 0.0) return verb + "not in the " + counts.result;
  return verb + "counted " + (group.times == 1.0 ? "once" : plain(group.times, 4) + " times") +
         (group.wanted == 1.0 ? "" : " instead of " + plain(group.wanted, 4));
}

std::string sentence(const ElementCounts& counts, const Group& group, bool is_alone) {
  const std::size_t n = counts.times.size();
  const std::string of_all = " of the " + std::to_string(n) + " " + counts.thing + "s";
  if (group.count == n) {
    if (n > 1 && group.times == 0.0) {
      return "No " + counts.thing + " is in the " + counts.result +
             ". Does each go into it (as with +=), is the result stored, and is it copied to where it is looked for?";
    }
    const bool is_each_thread = group.wanted == 1.0 && group.times == static_cast<double>(counts.block_threads);
    return (n == 1 ? "The only " : "Every ") + counts.thing + " " + counted(counts, group, false) +
           (is_each_thread ? ", as often as a block has threads." : ".");
  }
  // Where most elements are lost, the remaining ones are easier to name.
  if (is_alone && group.times == 0.0 && 2 * group.count > n) {
    Mask left = group.mask;
    left.flip();
    const std::size_t count = n - group.count;
    return "Only " + std::to_string(count) + of_all + (count == 1 ? " is" : " are") + " in the " + counts.result +
           ": " + places_of(left, counts) + ".";
  }
  return std::to_string(group.count) + of_all + " " + counted(counts, group, group.count > 1) + ": " +
         places_of(group.mask, counts) + ".";
}

}  // namespace

bool is_right(const ElementCounts& counts) { return groups_of(counts).empty(); }

std::string describe(const ElementCounts& counts) {
  constexpr std::size_t kMostSentences = 3;
  const std::vector<Group> groups = groups_of(counts);
  std::string text;
  if (groups.size() <= kMostSentences) {
    for (const Group& group : groups) text += (text.empty() ? "" : " ") + sentence(counts, group, groups.size() == 1);
    return text;
  }
  std::size_t count = 0;
  for (std::size_t i = 0; i < counts.times.size(); ++i) {
    if (counts.times[i] == counts.wanted_at(i)) continue;
    if (++count > kMostSentences) continue;
    const std::string times = plain(counts.times[i], 4) + (counts.times[i] == 1.0 ? " time" : " times");
    text += (count == 1 ? "" : ", ") + counts.thing + " " + std::to_string(i) + " " +
            (counts.times[i] == 0.0 ? "never" : times);
  }
  return std::to_string(count) + " of the " + std::to_string(counts.times.size()) + " " + counts.thing +
         "s are counted too often or too seldom: " + text + ", and so on.";
}

}  // namespace workbook
