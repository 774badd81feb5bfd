// SPDX-License-Identifier: MIT
// Finds the first wrong key, and then the one sentence that explains most of them.
#include "workbook/problem/sorts/sort/sort_check.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <numeric>

namespace workbook {
namespace {

float as_float(std::uint32_t word) {
  float value = 0.0f;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

std::string times(std::size_t count) { return count == 1 ? "once" : std::to_string(count) + " times"; }

std::string keys_text(std::size_t count) { return std::to_string(count) + (count == 1 ? " key" : " keys"); }

constexpr unsigned kDigitBits = 8;

// An explanation of wrong keys, of which there is at least one.
class WrongKeys {
 public:
  WrongKeys(const SortTask& task, const std::vector<std::uint32_t>& expected, const std::vector<std::uint32_t>& got,
            std::uint32_t poison)
      : task_(task), expected_(expected), got_(got), poison_(poison) {}

  // A sentence on all wrong keys, where there is one; otherwise on some of them.
  std::string sentence(std::string& pattern) const {
    std::vector<std::uint32_t> in_order = got_;
    std::sort(in_order.begin(), in_order.end(), [this](auto a, auto b) { return comes_before(a, b, task_.type); });
    if (in_order != expected_) return pattern = lost(in_order);
    pattern = other_order();
    return pattern.empty() ? falls() : pattern;
  }

 private:
  std::string text(std::uint32_t key) const { return text_of_key(key, task_.type); }

  std::string unwritten_text(const char* bits) const {
    const bool is_last = ordinal_of(poison_, task_.type) == 0xFFFFFFFFu;
    return std::string(" what memory holds that nobody wrote, ") + bits +
           (is_last ? ", which is the last of all keys, too" : "");
  }

  // The order that the keys really have. Empty: no known order.
  std::string other_order() const {
    const std::string all = kAllAreThere;
    if (got_ == task_.input.keys) return all + "nothing has been sorted: they stand as in the input";
    const auto is_sorted_by = [this](auto before) { return std::is_sorted(got_.begin(), got_.end(), before); };
    if (is_sorted_by([this](auto a, auto b) { return comes_before(b, a, task_.type); })) return all + "they fall";
    if (is_sorted_by(std::less<>())) return all + "they stand in the order of their bits, as if these were unsigned";
    const auto as_signed = [](auto a, auto b) { return comes_before(a, b, KeyType::signed_ints); };
    if (is_sorted_by(as_signed)) return all + "they stand in the order of their bits, as if these were signed ints";
    const Falls found = count_falls();
    const std::size_t run = found.together & (~found.together + 1);  // its lowest bit
    if (run >= 32 && 2 * found.count > (got_.size() - 1) / run) {
      return all + "they are in order only within each " + std::to_string(run) + " places";
    }
    for (unsigned low = 0; low < 24; low += kDigitBits) {
      if (!is_sorted_by_digit(low)) continue;
      return all + "they stand in the order of " +
             (low == 0 ? "their lowest 8 bits"
                       : "bits " + std::to_string(low) + " to " + std::to_string(low + kDigitBits - 1)) +
             (task_.type == KeyType::unsigned_ints ? "" : " of ordinal_of(key)") + ", and not of those above";
    }
    return "";
  }

  // Whether the last pass of a radix sort may have used this digit. Few other orders keep so many digits in order.
  bool is_sorted_by_digit(unsigned low) const {
    constexpr std::size_t kFewest = 6;  // different digits
    std::size_t different = 1;
    unsigned before = 0;
    for (std::size_t i = 0; i < got_.size(); ++i) {
      const unsigned digit = (ordinal_of(got_[i], task_.type) >> low) % (1u << kDigitBits);
      if (digit < before) return false;
      if (i > 0 && digit > before) ++different;
      before = digit;
    }
    return different >= kFewest;
  }

  struct Falls {
    std::size_t count = 0, first = 0;  // places behind a larger key
    std::size_t together = 0;          // Their OR: a power of two divides all of them if it divides this.
  };
  Falls count_falls() const {
    Falls found;
    for (std::size_t i = 1; i < got_.size(); ++i) {
      if (!comes_before(got_[i], got_[i - 1], task_.type)) continue;
      if (found.count++ == 0) found.first = i;
      found.together |= i;
    }
    return found;
  }

  std::string falls() const {
    const Falls found = count_falls();
    return kAllAreThere + (found.count == 1 ? "one stands" : std::to_string(found.count) + " stand") +
           " behind a larger one; the first is " + text(got_[found.first]) + " at place " +
           std::to_string(found.first) + ", behind " + text(got_[found.first - 1]);
  }

  // Walks through both lists in order. `in_order`: the sorted keys of the output.
  std::string lost(const std::vector<std::uint32_t>& in_order) const {
    struct Difference {
      std::size_t keys = 0;     // Missing or surplus keys.
      std::uint32_t first = 0;  // The first of them.
      std::size_t input = 0, output = 0;
    } lost, extra;
    const std::size_t n = expected_.size();
    std::size_t unwritten = 0;
    for (std::size_t i = 0, j = 0; i < n || j < n;) {
      const bool from_input = j == n || (i < n && !comes_before(in_order[j], expected_[i], task_.type));
      const std::uint32_t key = from_input ? expected_[i] : in_order[j];
      std::size_t input = 0, output = 0;
      for (; i < n && expected_[i] == key; ++i) ++input;
      for (; j < n && in_order[j] == key; ++j) ++output;
      if (key == poison_ && output > input) unwritten = output - input;
      if (input == output) continue;
      Difference& difference = input > output ? lost : extra;
      if (difference.keys == 0) difference = {0, key, input, output};
      difference.keys += std::max(input, output) - std::min(input, output);
    }
    const bool are_one = lost.keys == 1;
    if (unwritten == lost.keys) {
      char bits[20];
      std::snprintf(bits, sizeof bits, "0x%08x", poison_);
      if (unwritten == n) return "every key of the output holds" + unwritten_text(bits);
      return keys_text(unwritten) + (are_one ? " holds" : " hold") + unwritten_text(bits) +
             "; as many are lost, the first of them " + text(lost.first) + equal_keys();
    }
    std::string sentence = keys_text(lost.keys) + (are_one ? " is lost: " : " are lost, the first of them ") +
                           text(lost.first) + " (" + times(lost.input) + " in the input, " +
                           (lost.output == 0 ? "never" : times(lost.output)) + " in the output)";
    sentence += are_one ? "; in its place stands " : "; in their place stands, first of all, ";
    return sentence + text(extra.first) + " (" + (extra.input == 0 ? "never" : times(extra.input)) + " in the input, " +
           times(extra.output) + " in the output" +
           (extra.input == 1 && extra.output > 1 ? places_text(extra.first) : "") + ")";
  }

  // The first two places of a key that is in the input once. Where they lie side by side, the runs are in order, and
  // one of them gave the key twice.
  std::string places_text(std::uint32_t key) const {
    const auto begin = got_.begin(), first = std::find(begin, got_.end(), key);
    const auto second = std::find(first + 1, got_.end(), key);
    return ", at places " + std::to_string(first - begin) + " and " + std::to_string(second - begin) +
           (second == first + 1
                ? ": is an element read again after it was taken, or do the parts of two threads overlap?"
                : "");
  }

  // Where most keys are equal to others: what is lost may be one of two that went to one place.
  std::string equal_keys() const {
    std::size_t different = expected_.empty() ? 0 : 1;
    for (std::size_t i = 1; i < expected_.size(); ++i) different += expected_[i] != expected_[i - 1] ? 1u : 0u;
    if (4 * different > expected_.size()) return "";
    return "; the input has many equal keys, and only " + std::to_string(different) + " different " +
           (different == 1 ? "one" : "ones");
  }

  const SortTask& task_;
  const std::vector<std::uint32_t>& expected_;
  const std::vector<std::uint32_t>& got_;
  std::uint32_t poison_;
};

struct WrongValue {
  std::size_t place = 0;
  std::string sentence;  // "": there is none
};

// The first wrong value, for keys that are right.
WrongValue wrong_value(const SortTask& task, const HostRecords& expected, const HostRecords& got,
                       std::uint32_t poison) {
  const std::size_t n = got.values.size();
  constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();
  std::vector<std::uint32_t> key_of_value(n);
  for (std::size_t i = 0; i < n; ++i) key_of_value[task.input.values[i]] = task.input.keys[i];
  std::vector<std::size_t> place_of(n, kNowhere);
  const auto key_at = [&](std::size_t i) { return text_of_key(got.keys[i], task.type); };
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t value = got.values[i];
    const std::string found = "value at place " + std::to_string(i) + ": found " + std::to_string(value);
    if (value >= n) {
      return {i, found + (value == poison ? ", which is what memory holds that nobody wrote" : "") +
                     "; the values of the input are 0 to " + std::to_string(n - 1)};
    }
    if (key_of_value[value] != got.keys[i]) {
      return {i, found + " beside key " + key_at(i) + ", and in the input that value belongs to key " +
                     text_of_key(key_of_value[value], task.type) + ": a value must go wherever its key goes"};
    }
    if (place_of[value] != kNowhere) {
      return {i, found + ", as at place " + std::to_string(place_of[value]) + " already: of two records with key " +
                     key_at(i) + " one is there twice, and the other is lost"};
    }
    place_of[value] = i;
  }
  for (std::size_t i = 0; task.is_stable && i < n; ++i) {
    if (got.values[i] == expected.values[i]) continue;
    return {i, "value at place " + std::to_string(i) + ": expected " + std::to_string(expected.values[i]) + ", found " +
                   std::to_string(got.values[i]) + ": both have key " + key_at(i) +
                   ", and records with the same key must keep the order of the input (a stable sort)"};
  }
  return {};
}

}  // namespace

bool comes_before(std::uint32_t a, std::uint32_t b, KeyType type) {
  if (type == KeyType::unsigned_ints) return a < b;
  if (type == KeyType::signed_ints) return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
  const float x = as_float(a), y = as_float(b);
  if (!std::isnan(x) && !std::isnan(y)) return x != y ? x < y : std::signbit(x) && !std::signbit(y);
  if (!std::isnan(x) || !std::isnan(y)) return std::isnan(y);
  if (std::signbit(x) != std::signbit(y)) return std::signbit(y);
  return std::signbit(x) ? a > b : a < b;
}

std::string text_of_key(std::uint32_t key, KeyType type) {
  if (type == KeyType::unsigned_ints) return std::to_string(key);
  if (type == KeyType::signed_ints) return std::to_string(static_cast<std::int32_t>(key));
  char text[40];
  const float value = as_float(key);
  if (std::isnan(value)) {
    std::snprintf(text, sizeof text, "NaN (0x%08x)", key);
  } else {
    std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
  }
  return text;
}

HostRecords sorted(const SortTask& task) {
  HostRecords records;
  if (task.input.values.empty()) {
    records.keys = task.input.keys;
    std::stable_sort(records.keys.begin(), records.keys.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return comes_before(a, b, task.type); });
    return records;
  }
  struct Record {
    std::uint32_t key, value;
  };
  std::vector<Record> pairs(task.input.keys.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {task.input.keys[i], task.input.values[i]};
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const Record& a, const Record& b) { return comes_before(a.key, b.key, task.type); });
  for (const Record& record : pairs) {
    records.keys.push_back(record.key);
    records.values.push_back(record.value);
  }
  return records;
}

Verdict check_sort(const SortTask& task, const HostRecords& expected, const HostRecords& got, std::uint32_t poison) {
  Verdict verdict;
  verdict.elements = task.input.keys.size();
  const auto first_wrong = [](const auto& one, const auto& other) {
    return static_cast<std::size_t>(std::mismatch(one.begin(), one.end(), other.begin()).first - one.begin());
  };
  const auto wrong_at = [&](std::size_t place, const std::vector<std::uint32_t>& should,
                            const std::vector<std::uint32_t>& is) {
    verdict.first_index = "place " + std::to_string(place);
    verdict.wrong = std::inner_product(should.begin(), should.end(), is.begin(), std::size_t{0}, std::plus<>(),
                                       std::not_equal_to<>());
  };
  if (const std::size_t place = first_wrong(expected.keys, got.keys); place < verdict.elements) {
    wrong_at(place, expected.keys, got.keys);
    verdict.first_expected = text_of_key(expected.keys[place], task.type);
    verdict.first_got = text_of_key(got.keys[place], task.type);
    const std::string sentence = WrongKeys(task, expected.keys, got.keys, poison).sentence(verdict.pattern);
    verdict.reason = "key at place " + std::to_string(place) + ": expected " + verdict.first_expected + ", found " +
                     verdict.first_got + "; " + sentence;
    return verdict;
  }
  if (got.values != expected.values) {
    const WrongValue wrong = wrong_value(task, expected, got, poison);
    verdict.reason = wrong.sentence;
    if (!wrong.sentence.empty()) {
      wrong_at(wrong.place, expected.values, got.values);
      verdict.first_expected = std::to_string(expected.values[wrong.place]);
      verdict.first_got = std::to_string(got.values[wrong.place]);
    }
  }
  verdict.matches = verdict.reason.empty();
  return verdict;
}

}  // namespace workbook
