// SPDX-License-Identifier: MIT
// One `.entry` or `.func`: header, scopes, declarations, labels, instructions and their operands.
#pragma once

#include <cstdint>
#include <string_view>

#include "ptx/declarations.h"
#include "ptx/locations.h"
#include "ptx/symbols.h"

namespace cudasim::ptx {

/// Lives for one function. Names are entered into `context`; the caller keeps the function.
class FunctionParser {
 public:
  FunctionParser(Context& context, LocationReader& locations)
      : context_(context), cursor_(context.cursor), locations_(locations), labels_(function_) {}

  /// Called with `.entry` or `.func` as the current token.
  Function parse();

 private:
  // function_parser.cpp
  void parse_header();
  void parse_function_directives();
  void parse_thread_counts(std::uint32_t (&counts)[3]);
  void skip_unknown_directive();
  void parse_body();
  void parse_directive();
  void parse_registers();
  void parse_variables(Space space);
  void parse_label();
  void parse_prototype(const std::string& name);
  void parse_targets(const std::string& name, bool are_labels);
  void declare_register(std::string_view name, Type type);
  void declare_parameters(const std::vector<Variable>& parameters);
  std::string unique_variable_name(std::string_view name, Space space);
  void open_scope();
  void close_scope();

  // operand_parser.cpp
  void parse_instruction();
  void parse_guard(Instruction& instruction);
  void parse_operands(Instruction& instruction);
  void parse_video_operands(Instruction& instruction);
  void parse_call(Instruction& instruction);
  void refer_to_label(const Instruction& instruction, const Token& first);
  Operand parse_operand();
  Operand parse_single_operand();
  Operand parse_word();
  Operand parse_address();
  Operand parse_elements(Operand::Kind kind, std::string_view close);

  Context& context_;
  Cursor& cursor_;
  LocationReader& locations_;
  std::string_view name_;  // of the function, in the text
  Function function_;
  SymbolTable symbols_;
  LabelTable labels_;
  std::unordered_map<std::string_view, unsigned> variable_uses_;
  std::int32_t location_ = -1;
  std::uint32_t depth_ = 0;
};

}  // namespace cudasim::ptx
