// SPDX-License-Identifier: MIT
// Counts wrong elements in vector code. Only where there are some, finds the first and the pattern.
#include "workbook/judge/compare.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>
#include <utility>

#include "workbook/judge/patterns.h"

namespace workbook {
namespace {

float as_float(std::uint32_t word) {
  float value = 0.0f;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

// Calls wrong_in(begin, end) with pieces of the array, and is_wrong(i) for the elements of pieces with wrong ones.
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
  const WrongElements wrong(got, expected, explanations, std::move(mask));
  const auto text = [&](std::uint32_t word) {
    return explanations.text ? explanations.text(word) : std::to_string(word);
  };
  const std::size_t first = wrong.list.front();
  verdict.wrong = wrong.count;
  verdict.first_index = index_text(got, first);
  verdict.first_expected = text(expected.data[first]);
  verdict.first_got =
      got.data[first] == explanations.poison ? "what memory holds that nobody wrote" : text(got.data[first]);
  const Pattern pattern = pattern_of(wrong);
  verdict.pattern = pattern.sentence;
  verdict.pattern_name = pattern.name;
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
  explanations.block = call.block;
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
    if (error(i) <= bounds[i] || got.data[i] == expected.data[i])
      return false;  // false for NaN, which the next line handles
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
      if (std::isnan(error(i)) && !std::isnan(largest)) {  // NaN counts as the largest error
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
