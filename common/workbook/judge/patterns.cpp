// SPDX-License-Identifier: MIT
// The patterns in the order of the questions. Patterns on the value of an element come first, then patterns on the
// places of wrong elements.
#include "workbook/judge/patterns.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "workbook/judge/number_text.h"

namespace workbook {
namespace {

constexpr std::size_t kMostListed = std::size_t{1} << 26;      // Wrong elements: their places take 512 MiB.
constexpr std::size_t kFew = 32;                               // So few elements have no pattern, wherever they are.
constexpr std::size_t kTileSizes[] = {128, 64, 32, 16, 8, 4};  // The largest that fits is named.

class Patterns {
 public:
  explicit Patterns(const WrongElements& wrong)
      : got_(wrong.got),
        expected_(wrong.expected),
        explanations_(wrong.explanations),
        mask_(wrong.mask),
        count_(wrong.count),
        list_(wrong.list) {}

  Pattern first_that_holds() const {
    for (const Row& row : kRows) {
      if (std::string sentence = (this->*row.ask)(); !sentence.empty()) return {row.name, std::move(sentence)};
    }
    return {};
  }

 private:
  struct Row {
    const char* name;
    std::string (Patterns::*ask)() const;  // the sentence, or ""
  };
  static const Row kRows[10];

  std::size_t count() const { return count_; }
  std::size_t first() const { return list_.front(); }
  std::size_t row(std::size_t i) const { return i / got_.columns; }
  std::size_t column(std::size_t i) const { return i % got_.columns; }
  std::size_t size() const { return mask_.size(); }
  std::string tile_text(std::size_t tile) const {
    const std::string t = std::to_string(tile);
    return got_.rows > 1 ? t + " x " + t : t;
  }
  std::string subject() const { return count() == size() ? "every element" : "every wrong element"; }

  // Whether it holds for all wrong elements.
  template <typename Holds>
  bool all(Holds holds) const {
    return std::all_of(list_.begin(), list_.end(), holds);
  }
  // The largest tile with which it holds for all wrong elements, or 0.
  template <typename Holds>
  std::size_t largest_tile(Holds holds) const {
    for (const std::size_t tile : kTileSizes) {
      if (all([&](std::size_t i) { return holds(tile, i); })) return tile;
    }
    return 0;
  }
  // Whether it holds for exactly the wrong elements.
  template <typename Holds>
  bool exactly(Holds holds) const {
    if (!all(holds) || count() == size()) return false;
    for (std::size_t i = 0; i < size(); ++i) {
      if (!mask_[i] && holds(i)) return false;
    }
    return true;
  }

  std::string never_written() const {
    if (!all([&](std::size_t i) { return got_.data[i] == explanations_.poison; })) return "";
    if (count() == size()) {
      return std::string("nobody wrote any element of the output") +
             (explanations_.has_own_stream ? ", in the stream that the function was given" : "");
    }
    const std::string where = positions();
    return subject() + " holds that" + (where.empty() ? "" : ": " + where);
  }

  std::string all_zero() const {
    if (!all([&](std::size_t i) { return got_.data[i] == 0; })) return "";
    const std::string where = positions();
    return subject() + " is 0" + (where.empty() ? "" : ": " + where);
  }

  // The places, for elements whose value explains the mistake already.
  std::string positions() const {
    for (const auto ask :
         {&Patterns::in_one_line, &Patterns::tail, &Patterns::rest_of_tiles, &Patterns::every_so_many}) {
      if (std::string sentence = (this->*ask)(); !sentence.empty()) return sentence;
    }
    return "";
  }

  // The extent of a block that is this number, where only one of them is.
  std::string as_extent(std::size_t n) const {
    const dim3& block = explanations_.block;
    if (block.y <= 1 || (n == block.x) == (n == block.y)) return "";
    return std::string(" (blockDim.") + (n == block.x ? "x" : "y") + " is " + std::to_string(n) + ")";
  }

  std::string in_one_line() const {
    if (count() < 2 || got_.rows == 1 || got_.columns == 1) return "";  // one column gives no pattern
    const std::size_t i = first();
    if (all([&](std::size_t j) { return row(j) == row(i); }))
      return "all of them are in row " + std::to_string(row(i)) + as_extent(row(i));
    if (all([&](std::size_t j) { return column(j) == column(i); })) {
      return "all of them are in column " + std::to_string(column(i)) + as_extent(column(i));
    }
    return "";
  }

  std::string shifted() const {
    const auto from = [&](std::size_t i, std::ptrdiff_t by) {
      const std::ptrdiff_t source = static_cast<std::ptrdiff_t>(i) + by;
      return source >= 0 && source < static_cast<std::ptrdiff_t>(size()) && got_.data[i] == expected_.data[source];
    };
    if (count() < 2) return "";
    if (all([&](std::size_t i) { return from(i, 1); })) return subject() + " holds what belongs one place further on";
    if (all([&](std::size_t i) { return from(i, -1); })) return subject() + " holds what belongs one place before it";
    return "";
  }

  std::string transposed() const {
    if (count() < 2 || got_.rows == 1) return "";
    if (got_.rows == got_.columns &&
        all([&](std::size_t i) { return got_.data[i] == expected_.at(column(i), row(i)); })) {
      return subject() + " holds what belongs where row and column are exchanged";
    }
    const std::size_t tile = largest_tile([&](std::size_t t, std::size_t i) {
      const std::size_t r = row(i) / t * t + column(i) % t;
      const std::size_t c = column(i) / t * t + row(i) % t;
      return r < got_.rows && c < got_.columns && got_.data[i] == expected_.at(r, c);
    });
    if (tile == 0) return "";
    return subject() + " holds what belongs where row and column are exchanged within its tile of " + tile_text(tile);
  }

  std::string the_input() const {
    const Words& input = explanations_.input;
    if (input.data == nullptr || count() < 2) return "";
    if (!all([&](std::size_t i) { return i < input.size() && got_.data[i] == input.data[i]; })) return "";
    return subject() + " is the input's at the same place in memory";
  }

  // Tiles in exchanged places, where the words tell their origin: each must be there once.
  std::string in_other_tile() const {
    constexpr std::size_t kMost = std::size_t{1} << 22;
    if (!explanations_.are_moved || count() < 2 || size() > kMost) return "";
    std::unordered_map<std::uint32_t, std::size_t> place;
    place.reserve(size());
    for (std::size_t i = 0; i < size(); ++i) {
      if (!place.emplace(expected_.data[i], i).second) return "";
    }
    for (const std::size_t tile : kTileSizes) {
      if (tile >= got_.columns && tile >= got_.rows) continue;
      std::unordered_map<std::size_t, std::size_t> source_of;  // of each tile, by its number
      const std::size_t across = (got_.columns + tile - 1) / tile;
      const auto moved = [&](std::size_t i) {
        const auto found = place.find(got_.data[i]);
        if (found == place.end()) return false;
        const std::size_t from = found->second;
        if (got_.rows > 1 && row(from) % tile != row(i) % tile) return false;
        if (column(from) % tile != column(i) % tile) return false;
        const std::size_t source = row(from) / tile * across + column(from) / tile;
        return source_of.emplace(row(i) / tile * across + column(i) / tile, source).first->second == source;
      };
      if (!all(moved) || source_of.size() == count()) continue;  // one of each tile may be there by chance
      return "the wrong elements of each tile of " + tile_text(tile) +
             " hold what belongs at the same places of another tile";
    }
    return "";
  }

  std::string tail() const {
    const std::size_t i = first();
    if (count() == 1 && size() <= kFew) return "";  // among few elements, the last may be wrong for any reason
    if (i > 0 && exactly([&](std::size_t j) { return j >= i; })) {
      return "all from " + index_text(got_, i) + " on" + (column(i) == 0 ? as_extent(row(i)) : "");
    }
    if (got_.rows == 1) return "";
    std::size_t least_column = got_.columns;
    for (const std::size_t j : list_) least_column = std::min(least_column, column(j));
    if (exactly([&](std::size_t j) { return column(j) >= least_column; })) {
      return "the columns from " + std::to_string(least_column) + " on" + as_extent(least_column);
    }
    if (exactly([&](std::size_t j) { return row(j) >= row(i) && column(j) >= least_column; })) {
      return "the rows from " + std::to_string(row(i)) + " on, from column " + std::to_string(least_column) + " on";
    }
    // Both patterns at once: the first row gives the column, the first column gives the row.
    const auto below = std::find_if(list_.begin(), list_.end(), [&](std::size_t j) { return column(j) == 0; });
    if (below == list_.end()) return "";
    const std::size_t r = row(*below), c = column(i);
    if (exactly([&](std::size_t j) { return row(j) >= r || column(j) >= c; })) {
      return "the rows from " + std::to_string(r) + " on and the columns from " + std::to_string(c) + " on";
    }
    return "";
  }

  std::string rest_of_tiles() const {
    for (const std::size_t tile : kTileSizes) {
      const std::string t = std::to_string(tile);
      std::size_t least_row = tile, least_column = tile;
      for (const std::size_t i : list_) {
        least_row = std::min(least_row, row(i) % tile);
        least_column = std::min(least_column, column(i) % tile);
      }
      if (least_column > 0 && tile < got_.columns &&
          exactly([&](std::size_t i) { return column(i) % tile >= least_column; })) {
        return "the last " + std::to_string(tile - least_column) + " of every " + t +
               (got_.rows > 1 ? " columns" : " elements");
      }
      if (least_row > 0 && tile < got_.rows && exactly([&](std::size_t i) { return row(i) % tile >= least_row; })) {
        return "the last " + std::to_string(tile - least_row) + " of every " + t + " rows";
      }
    }
    return "";
  }

  std::string every_so_many() const {
    if (count() < 3) return "";
    for (std::size_t step = 1024; step >= 2; step /= 2) {
      const std::size_t rest = column(first()) % step;
      if (step < got_.columns && exactly([&](std::size_t i) { return column(i) % step == rest; })) {
        return "every " + ordinal(step) + (got_.rows > 1 ? " column" : " element") + ", the first of them " +
               std::to_string(rest);
      }
      const std::size_t first_row = row(first()) % step;
      if (step < got_.rows && exactly([&](std::size_t i) { return row(i) % step == first_row; })) {
        return "every " + ordinal(step) + " row, the first of them " + std::to_string(first_row);
      }
    }
    return "";
  }

  const Words& got_;
  const Words& expected_;
  const Explanations& explanations_;
  const std::vector<bool>& mask_;
  std::size_t count_;
  const std::vector<std::size_t>& list_;
};

const Patterns::Row Patterns::kRows[10] = {
    {"never-written", &Patterns::never_written},
    {"all-zero", &Patterns::all_zero},
    {"one-line", &Patterns::in_one_line},
    {"the-input", &Patterns::the_input},
    {"shifted", &Patterns::shifted},
    {"transposed", &Patterns::transposed},
    {"other-tile", &Patterns::in_other_tile},
    {"tail", &Patterns::tail},
    {"rest-of-tiles", &Patterns::rest_of_tiles},
    {"every-so-many", &Patterns::every_so_many},
};

}  // namespace

std::string index_text(const Words& array, std::size_t i) {
  if (array.rows == 1) return "element " + std::to_string(i);
  return "row " + std::to_string(i / array.columns) + ", column " + std::to_string(i % array.columns);
}

WrongElements::WrongElements(const Words& got, const Words& expected, const Explanations& explanations,
                             std::vector<bool> mask)
    : got(got), expected(expected), explanations(explanations), mask(std::move(mask)) {
  for (std::size_t i = 0; i < this->mask.size(); ++i) {
    if (!this->mask[i]) continue;
    ++count;
    if (list.size() < kMostListed) list.push_back(i);
  }
}

Pattern pattern_of(const WrongElements& wrong) {
  if (wrong.list.size() < wrong.count) return {};  // then no pattern is sure to hold for all
  return Patterns(wrong).first_that_holds();
}

}  // namespace workbook
