// SPDX-License-Identifier: MIT
// The count of wrong elements in vector code; then, only where there are some, the first and what they have in common.
#include "workbook/judge/compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>
#include <unordered_map>

#include "workbook/judge/number_text.h"

namespace workbook {
namespace {

constexpr std::size_t kMostListed = std::size_t{1} << 26;      // wrong elements: their places take 512 MiB
constexpr std::size_t kFew = 32;                               // elements that are no pattern, wherever they are
constexpr std::size_t kTileSizes[] = {128, 64, 32, 16, 8, 4};  // the largest that fits is named

float as_float(std::uint32_t word) {
  float value = 0.0f;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

// Which elements are wrong, and what they are, as the patterns ask for it.
class Wrong {
 public:
  Wrong(const Words& got, const Words& expected, const Explanations& explanations, std::vector<bool> mask)
      : got_(got), expected_(expected), explanations_(explanations), mask_(std::move(mask)) {
    for (std::size_t i = 0; i < mask_.size(); ++i) {
      if (!mask_[i]) continue;
      ++count_;
      if (list_.size() < kMostListed) list_.push_back(i);
    }
  }

  std::size_t count() const { return count_; }
  std::size_t first() const { return list_.front(); }

  std::string index_text(std::size_t i) const {
    if (got_.rows == 1) return "element " + std::to_string(i);
    return "row " + std::to_string(row(i)) + ", column " + std::to_string(column(i));
  }
  std::string word_text(std::uint32_t word) const {
    return explanations_.text ? explanations_.text(word) : std::to_string(word);
  }

  std::string pattern() const {
    if (list_.size() < count_) return "";  // then no pattern is sure to hold for all
    for (const auto ask :
         {&Wrong::never_written, &Wrong::all_zero, &Wrong::in_one_line, &Wrong::the_input, &Wrong::shifted,
          &Wrong::transposed, &Wrong::in_other_tile, &Wrong::tail, &Wrong::rest_of_tiles, &Wrong::every_so_many}) {
      if (std::string words = (this->*ask)(); !words.empty()) return words;
    }
    return "";
  }

 private:
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

  // Where they are, for elements whose value says what happened already.
  std::string positions() const {
    for (const auto ask : {&Wrong::in_one_line, &Wrong::tail, &Wrong::rest_of_tiles, &Wrong::every_so_many}) {
      if (std::string words = (this->*ask)(); !words.empty()) return words;
    }
    return "";
  }

  std::string in_one_line() const {
    if (count() < 2 || got_.rows == 1 || got_.columns == 1) return "";  // of one column it says nothing
    const std::size_t i = first();
    if (all([&](std::size_t j) { return row(j) == row(i); })) return "all of them are in row " + std::to_string(row(i));
    if (all([&](std::size_t j) { return column(j) == column(i); })) {
      return "all of them are in column " + std::to_string(column(i));
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

  // Tiles in each other's places, where the words tell from where they come: each must be there once.
  std::string in_other_tile() const {
    constexpr std::size_t kMost = std::size_t{1} << 22;
    if (count() < 2 || size() > kMost) return "";
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
    if (count() == 1 && size() <= kFew) return "";  // of a few the last one may be wrong for any reason
    if (i > 0 && exactly([&](std::size_t j) { return j >= i; })) return "all from " + index_text(i) + " on";
    if (got_.rows == 1) return "";
    std::size_t least_column = got_.columns;
    for (const std::size_t j : list_) least_column = std::min(least_column, column(j));
    if (exactly([&](std::size_t j) { return column(j) >= least_column; })) {
      return "the columns from " + std::to_string(least_column) + " on";
    }
    if (exactly([&](std::size_t j) { return row(j) >= row(i) && column(j) >= least_column; })) {
      return "the rows from " + std::to_string(row(i)) + " on, from column " + std::to_string(least_column) + " on";
    }
    // Both at once: the first row tells the column, the first column the row.
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
  std::vector<bool> mask_;
  std::size_t count_ = 0;
  std::vector<std::size_t> list_;  // the first of them
};

// Calls wrong_in(begin, end) with pieces of the array, and is_wrong(i) for elements of pieces that have wrong ones.
template <typename WrongIn, typename IsWrong>
std::vector<bool> mask_of(std::size_t n, WrongIn wrong_in, IsWrong is_wrong) {
  constexpr std::size_t kPiece = 4096;
  std::vector<bool> mask;  // empty where nothing is wrong
  for (std::size_t begin = 0; begin < n; begin += kPiece) {
    const std::size_t end = std::min(begin + kPiece, n);
    if (wrong_in(begin, end) == 0) continue;
    mask.resize(n);
    for (std::size_t i = begin; i < end; ++i) mask[i] = is_wrong(i);
  }
  return mask;
}

Verdict verdict_of(const Words& got, const Words& expected, const Explanations& explanations, std::vector<bool> mask) {
  Verdict verdict;
  verdict.elements = got.size();
  verdict.matches = mask.empty();
  if (verdict.matches) return verdict;
  const Wrong wrong(got, expected, explanations, std::move(mask));
  const std::size_t first = wrong.first();
  verdict.wrong = wrong.count();
  verdict.first_index = wrong.index_text(first);
  verdict.first_expected = wrong.word_text(expected.data[first]);
  verdict.first_got =
      got.data[first] == explanations.poison ? "what memory holds that nobody wrote" : wrong.word_text(got.data[first]);
  verdict.pattern = wrong.pattern();
  std::ostringstream reason;
  reason << verdict.wrong << " of " << verdict.elements << " elements " << (verdict.wrong == 1 ? "is" : "are")
         << " wrong; the first is " << verdict.first_index << ": expected " << verdict.first_expected << ", found "
         << verdict.first_got;
  if (!verdict.pattern.empty()) reason << "; " << verdict.pattern;
  verdict.reason = reason.str();
  return verdict;
}

}  // namespace

Explanations explanations_of(const Call& call, Explanations explanations) {
  explanations.poison = 0x01010101u * call.poison;
  explanations.has_own_stream = call.has_own_stream;
  return explanations;
}

Verdict compare_words(const Words& got, const Words& expected, const Explanations& explanations) {
  const auto wrong_in = [&](std::size_t begin, std::size_t end) {
    std::uint32_t wrong = 0;
    for (std::size_t i = begin; i < end; ++i) wrong += got.data[i] != expected.data[i] ? 1u : 0u;
    return wrong;
  };
  const auto is_wrong = [&](std::size_t i) { return got.data[i] != expected.data[i]; };
  return verdict_of(got, expected, explanations, mask_of(got.size(), wrong_in, is_wrong));
}

Verdict compare_floats(const Words& got, const Words& expected, const std::vector<float>& bounds,
                       const Explanations& explanations) {
  const auto error = [&](std::size_t i) { return std::fabs(as_float(got.data[i]) - as_float(expected.data[i])); };
  const auto is_wrong = [&](std::size_t i) {
    if (error(i) <= bounds[i] || got.data[i] == expected.data[i]) return false;  // false for NaN: it goes on
    return !(std::isnan(as_float(got.data[i])) && std::isnan(as_float(expected.data[i])));
  };
  float largest = 0.0f;
  std::size_t at = 0;
  const auto wrong_in = [&](std::size_t begin, std::size_t end) {
    std::uint32_t suspect = 0;
    float piece = 0.0f;
    for (std::size_t i = begin; i < end; ++i) {
      suspect += error(i) <= bounds[i] ? 0u : 1u;
      piece = std::max(piece, error(i));
    }
    if (piece > largest) {
      largest = piece;
      for (std::size_t i = begin; i < end; ++i) at = error(i) == piece ? i : at;
    }
    if (suspect == 0) return suspect;
    suspect = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (!is_wrong(i)) continue;
      ++suspect;
      if (std::isnan(error(i)) && !std::isnan(largest)) {  // the largest of all errors
        largest = error(i);
        at = i;
      }
    }
    return suspect;
  };
  std::vector<bool> mask = mask_of(got.size(), wrong_in, is_wrong);
  Verdict verdict = verdict_of(got, expected, explanations, std::move(mask));
  verdict.error = static_cast<double>(largest);
  verdict.bound = bounds.empty() ? 0.0 : static_cast<double>(bounds[at]);
  if (largest != 0.0f)
    verdict.relative_error = verdict.error / std::fabs(static_cast<double>(as_float(expected.data[at])));
  return verdict;
}

}  // namespace workbook
