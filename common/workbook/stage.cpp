// SPDX-License-Identifier: MIT
// Blocks and sizes as one types them, and the blocks of a stage.
#include "workbook/stage.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace workbook {
namespace {

bool same(const dim3& one, const dim3& other) { return one.x == other.x && one.y == other.y; }

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
  static const std::regex power(R"((^|x)2\^(\d{1,2})(?=x|$))");
  std::string rest = text, shown;
  for (std::smatch found; std::regex_search(rest, found, power); rest = found.suffix()) {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.0f", std::exp2(std::stoi(found[2])));  // every power of two is exact
    shown += found.prefix().str() + found[1].str() + digits;
  }
  return shown + rest;
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
