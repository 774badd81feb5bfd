// SPDX-License-Identifier: MIT
// Blocks and sizes as one types them, and the blocks of a stage.
#include "workbook/stage.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

namespace workbook {
namespace {

bool same(const dim3& one, const dim3& other) { return one.x == other.x && one.y == other.y; }

}  // namespace

bool parse_block(const std::string& text, dim3& block) {
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
