// SPDX-License-Identifier: MIT
// A result with mistakes that a test plants, and whether a pattern is true of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <regex>
#include <string>
#include <vector>

#include "workbook/judge/compare.h"

namespace workbook::test {

inline constexpr std::uint32_t kPoison = 0xFFFFFFFF;
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

using Wrong = std::function<bool(std::size_t i, std::size_t j)>;
using PlantedValue = std::function<std::uint32_t(std::size_t i, std::size_t j)>;

// A result that should hold the numbers 1, 2, 3, ..., which tell from where they come.
class Result {
 public:
  Result(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), expected_(rows * columns) {
    for (std::size_t k = 0; k < expected_.size(); ++k) expected_[k] = static_cast<std::uint32_t>(k + 1);
    got_ = expected_;
  }

  // What belongs at row i, column j; nothing sensible outside.
  std::uint32_t at(std::size_t i, std::size_t j) const {
    return i < rows_ && j < columns_ ? expected_[i * columns_ + j] : 0xC0FFEE;
  }
  Result& plant(const Wrong& wrong, const PlantedValue& value) {
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t j = 0; j < columns_; ++j) {
        if (wrong(i, j)) got_[i * columns_ + j] = value(i, j);
      }
    }
    return *this;
  }
  Verdict verdict(const std::vector<std::uint32_t>& input = {}) const {
    Explanations explanations;
    if (!input.empty()) explanations.input = {input.data(), rows_, columns_};
    return compare_words({got_.data(), rows_, columns_}, {expected_.data(), rows_, columns_}, explanations);
  }
  std::string pattern() const { return verdict().pattern; }

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  std::size_t size() const { return got_.size(); }
  std::uint32_t got(std::size_t k) const { return got_[k]; }
  bool is_wrong(std::size_t k) const { return got_[k] != expected_[k]; }

 private:
  std::size_t rows_;
  std::size_t columns_;
  std::vector<std::uint32_t> expected_;
  std::vector<std::uint32_t> got_;
};

inline bool everywhere(std::size_t, std::size_t) { return true; }

// Words that come from nowhere.
inline std::uint32_t garbage(std::size_t i, std::size_t j) {
  return 0x80000000u + static_cast<std::uint32_t>(i * 7919 + j * 31);
}
inline std::uint32_t poison(std::size_t, std::size_t) { return kPoison; }
inline std::uint32_t zero(std::size_t, std::size_t) { return 0; }

// Whether a pattern is true of a result, word by word: written without a look at how patterns are found.
class Truth {
 public:
  explicit Truth(const Result& result) : result_(result) {}

  bool holds(const std::string& pattern) const {
    const auto is = [&pattern](const char* text, std::smatch& parts) {
      return std::regex_match(pattern, parts, std::regex(text));
    };
    std::smatch parts;
    if (pattern == "nobody wrote any element of the output")
      return every([](auto) { return true; }) && all_hold(kPoison);
    if (is("every (wrong )?element (holds that|is 0)(: (.*))?", parts)) {
      return subject(parts) && all_hold(parts[2] == "is 0" ? 0 : kPoison) && (!parts[4].matched || where(parts[4]));
    }
    if (is("every (wrong )?element holds what belongs one place (further on|before it)", parts)) {
      const std::size_t by = parts[2] == "further on" ? 1 : static_cast<std::size_t>(-1);
      return subject(parts) && each([&](auto k) { return k + by < result_.size() && result_.got(k) == at(k + by); });
    }
    if (is("every (wrong )?element holds what belongs where row and column are exchanged", parts)) {
      return subject(parts) && each([&](auto k) { return result_.got(k) == result_.at(column(k), row(k)); });
    }
    if (is("every (wrong )?element holds what belongs where row and column are exchanged within its tile of (\\d+) x "
           "(\\d+)",
           parts)) {
      const std::size_t t = number(parts[2]);
      return subject(parts) && each([&](auto k) {
               const std::size_t i = row(k), j = column(k);
               return result_.got(k) == result_.at(i - i % t + j % t, j - j % t + i % t);
             });
    }
    if (is("the wrong elements of each tile of (\\d+)( x \\d+)? hold what belongs at the same places of another tile",
           parts)) {
      return tiles_moved(parts[2].matched ? number(parts[1]) : 1, number(parts[1]));
    }
    return where(pattern);
  }

 private:
  using Holds = std::function<bool(std::size_t k)>;

  static std::size_t number(const std::string& text) { return std::stoul(text); }
  std::size_t row(std::size_t k) const { return k / result_.columns(); }
  std::size_t column(std::size_t k) const { return k % result_.columns(); }
  std::uint32_t at(std::size_t k) const { return result_.at(row(k), column(k)); }

  bool each(const Holds& holds) const {  // of the wrong ones
    for (std::size_t k = 0; k < result_.size(); ++k) {
      if (result_.is_wrong(k) && !holds(k)) return false;
    }
    return true;
  }
  bool every(const Holds& wrong) const {  // is wrong where `wrong` says so, and nowhere else
    for (std::size_t k = 0; k < result_.size(); ++k) {
      if (result_.is_wrong(k) != wrong(k)) return false;
    }
    return true;
  }
  bool subject(const std::smatch& parts) const {
    return parts[1].matched || every([](auto) { return true; });
  }
  bool all_hold(std::uint32_t word) const {
    return each([&](auto k) { return result_.got(k) == word; });
  }

  bool where(const std::string& text) const {
    std::smatch parts;
    const auto is = [&](const char* regex) { return std::regex_match(text, parts, std::regex(regex)); };
    const auto part = [&parts](std::size_t i) { return number(parts[i]); };
    if (is("all of them are in row (\\d+)")) return each([&](auto k) { return row(k) == part(1); });
    if (is("all of them are in column (\\d+)")) return each([&](auto k) { return column(k) == part(1); });
    if (is("all from element (\\d+) on")) return every([&](auto k) { return k >= part(1); });
    if (is("all from row (\\d+), column (\\d+) on")) {
      return every([&](auto k) { return k >= part(1) * result_.columns() + part(2); });
    }
    if (is("the columns from (\\d+) on")) return every([&](auto k) { return column(k) >= part(1); });
    if (is("the rows from (\\d+) on, from column (\\d+) on")) {
      return every([&](auto k) { return row(k) >= part(1) && column(k) >= part(2); });
    }
    if (is("the rows from (\\d+) on and the columns from (\\d+) on")) {
      return every([&](auto k) { return row(k) >= part(1) || column(k) >= part(2); });
    }
    if (is("the last (\\d+) of every (\\d+) (rows|columns|elements)")) {
      return every([&](auto k) { return (parts[3] == "rows" ? row(k) : column(k)) % part(2) + part(1) >= part(2); });
    }
    if (is("every (\\d+)(?:nd|th) (row|column|element), the first of them (\\d+)")) {
      return every([&](auto k) { return (parts[2] == "row" ? row(k) : column(k)) % part(1) == part(3); });
    }
    return false;  // words that nobody knows
  }

  // In each tile with wrong elements, one and the same distance in whole tiles explains all of them.
  bool tiles_moved(std::size_t tile_rows, std::size_t tile_columns) const {
    std::vector<std::ptrdiff_t> source(result_.size(), -1);  // of each tile, by its first element
    return each([&](auto k) {
      if (result_.got(k) == 0 || result_.got(k) > result_.size()) return false;
      const std::size_t from = result_.got(k) - 1;
      const auto tile = [&](auto of) {
        return of - row(of) % tile_rows * result_.columns() - column(of) % tile_columns;
      };
      if (k - tile(k) != from - tile(from)) return false;
      std::ptrdiff_t& known = source[tile(k)];
      if (known == -1) known = static_cast<std::ptrdiff_t>(tile(from));
      return known == static_cast<std::ptrdiff_t>(tile(from));
    });
  }

  const Result& result_;
};

}  // namespace workbook::test
