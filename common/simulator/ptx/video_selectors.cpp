// SPDX-License-Identifier: MIT
#include "ptx/video_selectors.h"

#include <algorithm>
#include <cstddef>

namespace cudasim::ptx {

namespace {

constexpr std::uint32_t kNotAllowed = ~0u;

/// How many parts a SIMD instruction has: 2, 4; 0 for a scalar one.
unsigned parts_of(std::string_view opcode) {
  const char last = opcode[std::min(opcode.find('.'), opcode.size()) - 1];
  return last == '2' ? 2 : last == '4' ? 4 : 0;
}

std::uint32_t scalar_code(std::string_view selector) {
  static constexpr std::string_view kCodes[] = {"", "b0", "b1", "b2", "b3", "h0", "h1"};
  const auto* const found = std::find(std::begin(kCodes), std::end(kCodes), selector);
  return found == std::end(kCodes) ? kNotAllowed : static_cast<std::uint32_t>(found - std::begin(kCodes));
}

std::uint32_t scalar_selectors(std::string_view opcode, const std::vector<std::string_view>& selectors) {
  constexpr std::uint32_t kUpperHalf = 6;
  const std::uint32_t d = scalar_code(selectors[0]), a = scalar_code(selectors[1]), b = scalar_code(selectors[2]);
  if (d == kNotAllowed || a == kNotAllowed || b == kNotAllowed) return kNotAllowed;
  const bool clamps = opcode.find(".sat") != std::string_view::npos;
  if (d == kUpperHalf || (d != 0 && (clamps || selectors.size() < 4))) return kNotAllowed;
  // Clamped to 32 bits without a sign: only where nothing can be too large.
  const bool is_unsigned = opcode.substr(opcode.find('.'), 4) == ".u32";
  if (clamps && is_unsigned && (a == 0 || b == 0)) return kNotAllowed;
  return d << 6 | a << 3 | b;
}

/// The digits of a selector, from the last one: the part that each part is taken from, or the parts that a mask has.
std::string_view digits_of(std::string_view selector, unsigned parts) {
  const char letter = parts == 2 ? 'h' : 'b';
  const auto is_part = [&](char digit) { return digit >= '0' && digit < static_cast<char>('0' + 2 * parts); };
  if (selector.size() < 2 || selector[0] != letter) return "";
  selector.remove_prefix(1);
  return std::all_of(selector.begin(), selector.end(), is_part) ? selector : "";
}

std::uint32_t simd_selectors(unsigned parts, const std::vector<std::string_view>& selectors) {
  constexpr unsigned kBits = 3, kFirstOfB = 12, kMask = 24;
  std::uint32_t result = 0;
  for (unsigned operand = 1; operand <= 2; ++operand) {
    if (selectors[operand].empty()) continue;
    const std::string_view digits = digits_of(selectors[operand], parts);
    if (digits.size() != parts) return kNotAllowed;
    for (unsigned part = 0; part < parts; ++part) {
      const auto from = static_cast<std::uint32_t>(digits[parts - 1 - part] - '0');
      const std::uint32_t usual = operand == 1 ? part : part + parts;
      result |= (from ^ usual) << ((operand == 1 ? 0 : kFirstOfB) + kBits * part);
    }
  }
  if (selectors[0].empty()) return result;
  const std::string_view mask = digits_of(selectors[0], parts);
  std::uint32_t taken = 0;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    const auto part = static_cast<unsigned>(mask[i] - '0');
    if (part >= parts || (i > 0 && mask[i] >= mask[i - 1]))
      return kNotAllowed;  // .b210: from the highest to the lowest
    taken |= std::uint32_t{1} << part;
  }
  return taken == 0 ? kNotAllowed : result | (taken ^ ((std::uint32_t{1} << parts) - 1)) << kMask;
}

}  // namespace

SelectedName split_selector(std::string_view text) {
  const auto dot = text.rfind('.');
  const bool has_one = dot != std::string_view::npos && dot + 1 < text.size() &&
                       (text[dot + 1] == 'b' || text[dot + 1] == 'h') && dot + 2 < text.size();
  return has_one ? SelectedName{text.substr(0, dot), text.substr(dot + 1)} : SelectedName{text, ""};
}

bool is_video(std::string_view opcode) {
  static constexpr std::string_view kNames[] = {"vadd", "vsub", "vabsdiff", "vmin", "vmax",
                                                "vset", "vshl", "vshr",     "vavrg"};
  std::string_view name = opcode.substr(0, opcode.find('.'));
  if (!name.empty() && parts_of(opcode) != 0) name.remove_suffix(1);
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

bool add_selectors(Instruction& instruction, const std::vector<std::string_view>& selectors) {
  constexpr std::size_t kOperands = 4;
  if (selectors.size() < kOperands - 1 || selectors.size() > kOperands) return false;
  if (selectors.size() == kOperands && !selectors.back().empty()) return false;
  const unsigned parts = parts_of(instruction.opcode);
  const std::uint32_t number =
      parts == 0 ? scalar_selectors(instruction.opcode, selectors) : simd_selectors(parts, selectors);
  if (number == kNotAllowed) return false;
  Operand zero;
  if (selectors.size() < kOperands) instruction.operands.push_back(zero);
  instruction.operands.push_back(zero);
  instruction.operands.back().bits = number;
  return true;
}

}  // namespace cudasim::ptx
