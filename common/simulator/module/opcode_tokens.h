// SPDX-License-Identifier: MIT
// An opcode as written, taken apart at its dots.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace cudasim {

/// "ld.global.f32" to {"ld", "global", "f32"}.
inline std::vector<std::string_view> split(std::string_view opcode) {
  std::vector<std::string_view> tokens;
  while (!opcode.empty()) {
    const auto dot = opcode.find('.');
    tokens.push_back(opcode.substr(0, dot));
    opcode = dot == std::string_view::npos ? std::string_view{} : opcode.substr(dot + 1);
  }
  return tokens;
}

inline bool has(const std::vector<std::string_view>& tokens, std::string_view token) {
  return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
}

}  // namespace cudasim
