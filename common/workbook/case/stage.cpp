// SPDX-License-Identifier: MIT
// Blocks and sizes as text, and the blocks of a stage.
#include "workbook/case/stage.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace workbook {
namespace {

bool same(const dim3& one, const dim3& other) { return one.x == other.x && one.y == other.y; }

// "2^" and one or two digits.
bool is_power(const std::string& word) {
  const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
  return (word.size() == 3 || word.size() == 4) && word.compare(0, 2, "2^") == 0 &&
         std::all_of(word.begin() + 2, word.end(), is_digit);
}

std::string digits_of_power(int exponent) {
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.0f", std::exp2(exponent));  // every power of two is exact
  return digits;
}

}  // namespace

std::string changed_since_built(const Stage& stage) {
  std::ifstream now(stage.file), then(stage.built_from);
  using Text = std::istreambuf_iterator<char>;
  if (!now || !then || std::equal(Text(now), Text(), Text(then), Text())) return "";
  const std::string source = stage.source;
  const std::string how = source.find("todo.cu") == std::string::npos
                              ? ""
                              : ", as scripts/workbook run " + std::to_string(stage.number) + " --todo does";
  return source + " has changed since this program was built: build it again" + how;
}

std::string spelled_out(const std::string& text) {
  std::string shown;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    const std::string one = text.substr(begin, end - begin);
    if (begin > 0) shown += 'x';
    shown += is_power(one) ? digits_of_power(std::stoi(one.substr(2))) : one;
    begin = end + 1;
  }
  return shown;
}

bool parse_block(const std::string& typed, dim3& block) {
  const std::string text = spelled_out(typed);
  const char* const end = text.data() + text.size();
  block = dim3(0, 1, 1);
  auto [stop, error] = std::from_chars(text.data(), end, block.x);
  if (error == std::errc() && stop != end && *stop == 'x') {
    const auto second = std::from_chars(stop + 1, end, block.y);
    stop = second.ptr;
    error = second.ec;
  }
  return error == std::errc() && stop == end && block.x > 0 && block.y > 0;
}

std::string text_of(const dim3& block) {
  return std::to_string(block.x) + (block.y == 1 ? "" : "x" + std::to_string(block.y));
}

std::string text_of(const Sizes& sizes) {
  std::string text;
  for (const std::size_t size : sizes) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

BlockRule block_rule(const Stage& stage, const Problem& problem) {
  BlockRule rule = problem.block_rule();
  std::istringstream listed(stage.blocks);
  std::vector<dim3> shapes;
  for (std::string word; listed >> word;) {
    if (!parse_block(word, shapes.emplace_back()))
      throw std::logic_error("BLOCKS of the stage: '" + word + "' is none");
  }
  if (!shapes.empty()) {
    rule = {"", shapes, shapes.front()};
    for (const dim3& shape : shapes) rule.words += (rule.words.empty() ? "one of " : ", ") + text_of(shape);
  }
  if (*stage.block != '\0' && !parse_block(stage.block, rule.standard)) {
    throw std::logic_error(std::string("BLOCK of the stage: '") + stage.block + "' is none");
  }
  const auto is_standard = [&rule](const dim3& shape) { return same(shape, rule.standard); };
  if (std::none_of(rule.shapes.begin(), rule.shapes.end(), is_standard)) {
    throw std::logic_error("BLOCK of the stage is not " + rule.words);
  }
  return rule;
}

}  // namespace workbook
