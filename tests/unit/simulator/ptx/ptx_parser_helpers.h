// SPDX-License-Identifier: MIT
// What the tests of the PTX parser share: short ways from a line of PTX to what the parser made of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ptx/parser.h"

namespace cudasim::ptx {

using Kind = Operand::Kind;

inline const std::string header = ".version 9.0\n.target sm_75\n.address_size 64\n";

inline Function parse_body(const std::string& body) {
  const Module module = parse(header +
                              ".visible .entry k(.param .u64 k_param_0) {\n"
                              ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>;\n" +
                              body + "\n}\n");
  return module.functions.at(0);
}

/// The operands of `mov.b32 %r0, <text>` behind the first.
inline Operand parse_source(const std::string& text) {
  const Function function = parse_body("mov.b32 %r0, " + text + ";");
  return function.instructions.at(0).operands.at(1);
}

inline Variable parse_variable(const std::string& text) { return parse(header + text).variables.at(0); }

inline std::vector<std::uint64_t> bits_of(const Variable& variable) {
  std::vector<std::uint64_t> bits;
  for (const auto& initialiser : variable.initialisers) bits.push_back(initialiser.bits);
  return bits;
}

inline std::string register_name(const Function& function, std::int32_t reg) {
  return reg < 0 ? "" : function.registers.at(static_cast<std::size_t>(reg)).name;
}

inline std::string name_of(const Function& function, const Operand& operand) {
  return operand.kind == Kind::reg ? register_name(function, operand.reg) : operand.name;
}

}  // namespace cudasim::ptx
