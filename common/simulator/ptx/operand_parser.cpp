// SPDX-License-Identifier: MIT
// Instructions: guard, opcode, operands. Calls get one shape, however they are written.
#include <algorithm>

#include "ptx/function_parser.h"
#include "ptx/video_selectors.h"

namespace cudasim::ptx {
namespace {

/// `bra.uni` is a `bra`.
bool has_base(std::string_view opcode, std::string_view base) {
  return opcode.substr(0, base.size()) == base && (opcode.size() == base.size() || opcode[base.size()] == '.');
}

Operand operand_of(const Number& number) {
  Operand operand;
  operand.bits = number.bits;
  switch (number.kind) {
    case Number::Kind::integer:
      operand.kind = Operand::Kind::integer;
      break;
    case Number::Kind::f32:
      operand.kind = Operand::Kind::f32_bits;
      break;
    case Number::Kind::f64:
      operand.kind = Operand::Kind::f64_bits;
      break;
  }
  return operand;
}

}  // namespace

void FunctionParser::parse_instruction() {
  Instruction instruction;
  if (cursor_.accept("@")) parse_guard(instruction);
  const Token opcode = cursor_.peek();
  if (opcode.kind != TokenKind::word || opcode.text[0] == '%') cursor_.fail_expected("an instruction");
  instruction.opcode = cursor_.take().text;
  while (cursor_.at(TokenKind::directive)) instruction.opcode += cursor_.take().text;  // `ld.param .u64` is allowed
  instruction.ptx_line = static_cast<std::int32_t>(opcode.line);
  instruction.location = location_;
  if (has_base(instruction.opcode, "call")) {
    parse_call(instruction);
  } else {
    parse_operands(instruction);
  }
  if (!cursor_.accept(";")) {
    cursor_.fail_expected(
        "';' " + std::string(instruction.operands.empty() ? "or an operand after " : "after the operands of ") +
        quote(instruction.opcode));
  }
  function_.instructions.push_back(std::move(instruction));
}

void FunctionParser::parse_guard(Instruction& instruction) {
  instruction.guard_negated = cursor_.accept("!");
  const Token name = cursor_.expect(TokenKind::word, "a predicate after '@'");
  instruction.guard = symbols_.find_register(name.text);
  const auto line = static_cast<int>(name.line);
  if (instruction.guard < 0) throw SyntaxError(line, "the predicate " + quote(name.text) + " is not declared");
  if (function_.registers[static_cast<std::size_t>(instruction.guard)].type != Type::pred) {
    throw SyntaxError(line, quote(name.text) + " guards an instruction but is not a predicate");
  }
}

void FunctionParser::parse_operands(Instruction& instruction) {
  if (cursor_.at(";") || cursor_.at("}") || cursor_.at(TokenKind::end)) return;
  if (is_video(instruction.opcode)) return parse_video_operands(instruction);
  instruction.operands.reserve(3);  // that most have
  do {
    const Token first = cursor_.peek();
    instruction.operands.push_back(parse_operand());
    refer_to_label(instruction, first);
  } while (cursor_.accept(","));
}

/// Operands whose registers may have selectors. With selectors that are not understood, such an operand remains the
/// name of an unknown special register, and the decoder refuses the instruction.
void FunctionParser::parse_video_operands(Instruction& instruction) {
  std::vector<std::string_view> selectors;
  do {
    selectors.push_back(cursor_.at(TokenKind::word) ? split_selector(cursor_.peek().text).selector : "");
    instruction.operands.push_back(parse_operand());
  } while (cursor_.accept(","));
  const auto is_empty = [](std::string_view selector) { return selector.empty(); };
  if (std::all_of(selectors.begin(), selectors.end(), is_empty) || !add_selectors(instruction, selectors)) return;
  for (std::size_t i = 0; i < selectors.size(); ++i) {
    if (selectors[i].empty()) continue;
    Operand& operand = instruction.operands[i];
    operand.reg = symbols_.find_register(split_selector(operand.name).name);
    if (operand.reg >= 0) operand.kind = Operand::Kind::reg;
  }
}

/// Notes that the operand just parsed, which begins with `first`, may mean a label.
void FunctionParser::refer_to_label(const Instruction& instruction, const Token& first) {
  const std::size_t position = instruction.operands.size() - 1;
  if (instruction.operands[position].kind != Operand::Kind::name) return;
  const bool is_branch = has_base(instruction.opcode, "bra") && position == 0;
  const bool is_table = has_base(instruction.opcode, "brx") && position == 1;
  const bool is_prototype = has_base(instruction.opcode, "call") && position == 3;
  if (!is_branch && !is_table && !is_prototype) return;
  LabelTable::Reference reference;
  reference.name = first.text;
  reference.owner = static_cast<std::uint32_t>(function_.instructions.size());
  reference.position = static_cast<std::uint32_t>(position);
  reference.line = first.line;
  reference.must_exist = !is_prototype;
  labels_.refer(reference);
}

/// Always [returns, callee, arguments] and perhaps a prototype or list of targets, whichever of them are written.
void FunctionParser::parse_call(Instruction& instruction) {
  auto& operands = instruction.operands;
  Operand empty;
  empty.kind = Operand::Kind::list;
  operands.push_back(empty);
  if (cursor_.at("(")) {
    operands[0] = parse_elements(Operand::Kind::list, ")");
    cursor_.expect(",", "after the return values of a call");
  }
  if (!cursor_.at(TokenKind::word)) cursor_.fail_expected("the function to call");
  const Token callee = cursor_.take();
  Operand function;
  function.reg = symbols_.find_register(callee.text);
  function.kind = function.reg >= 0 ? Operand::Kind::reg : Operand::Kind::name;
  if (function.reg < 0) {
    if (callee.text[0] == '%') cursor_.fail("the register " + quote(callee.text) + " is not declared");
    function.name = callee.text;
  }
  operands.push_back(std::move(function));
  operands.push_back(empty);
  if (!cursor_.accept(",")) return;
  if (cursor_.at("(")) {
    operands[2] = parse_elements(Operand::Kind::list, ")");
    if (!cursor_.accept(",")) return;
  }
  const Token prototype = cursor_.peek();
  Operand name;
  name.kind = Operand::Kind::name;
  name.name = cursor_.expect_name("a prototype or a list of targets after the arguments of a call");
  operands.push_back(std::move(name));
  refer_to_label(instruction, prototype);
}

Operand FunctionParser::parse_operand() {
  Operand operand = parse_single_operand();
  if (!cursor_.at("|")) return operand;
  if (operand.kind != Operand::Kind::reg && operand.kind != Operand::Kind::sink) {
    cursor_.fail("only registers can be paired with '|'");
  }
  cursor_.take();
  Operand pair;
  pair.kind = Operand::Kind::pair;
  pair.elements.push_back(std::move(operand));
  pair.elements.push_back(parse_single_operand());
  const auto second = pair.elements[1].kind;
  if (second != Operand::Kind::reg && second != Operand::Kind::sink)
    cursor_.fail("only registers can be paired with '|'");
  return pair;
}

Operand FunctionParser::parse_single_operand() {
  if (at_constant(cursor_)) return operand_of(parse_constant(cursor_));
  if (cursor_.at(TokenKind::word)) return parse_word();
  if (cursor_.at("[")) return parse_address();
  if (cursor_.at("{")) return parse_elements(Operand::Kind::vector, "}");
  if (cursor_.accept("!")) {
    const Token name = cursor_.peek();
    Operand operand = parse_word();
    if (operand.kind != Operand::Kind::reg) {
      throw SyntaxError(static_cast<int>(name.line), "the predicate " + quote(name.text) + " is not declared");
    }
    operand.negated = true;
    return operand;
  }
  cursor_.fail_expected("an operand");
}

/// A register, `_`, a special register (any other name with a percent sign), a variable or another name.
Operand FunctionParser::parse_word() {
  const Token word = cursor_.peek();
  const std::string_view text = word.text;
  Operand operand;
  operand.reg = symbols_.find_register(text);
  if (operand.reg >= 0) {
    operand.kind = Operand::Kind::reg;
  } else if (text == "_") {
    operand.kind = Operand::Kind::sink;
  } else if (text[0] == '%') {
    operand.kind = Operand::Kind::special;
    operand.name = text;
  } else {
    cursor_.expect_name("a register, a variable or a label");
    operand.kind = Operand::Kind::name;
    const std::string* variable = symbols_.find_variable(text);
    operand.name = variable != nullptr ? *variable : std::string(text);
    operand.offset = parse_displacement(cursor_);
    return operand;
  }
  cursor_.take();
  return operand;
}

/// `[%rd1]`, `[%rd1+4]`, `[name-8]`, `[16]`; more elements behind commas in texture and tensor instructions.
Operand FunctionParser::parse_address() {
  const Nesting nesting(cursor_);
  cursor_.take();
  Operand address;
  address.kind = Operand::Kind::address;
  Operand base = parse_single_operand();
  switch (base.kind) {
    case Operand::Kind::reg:
    case Operand::Kind::special:
      address.offset = parse_displacement(cursor_);
      break;
    case Operand::Kind::name:
      std::swap(address.offset, base.offset);
      break;
    case Operand::Kind::integer:
      break;
    case Operand::Kind::f32_bits:
    case Operand::Kind::f64_bits:
    case Operand::Kind::address:
    case Operand::Kind::vector:
    case Operand::Kind::pair:
    case Operand::Kind::list:
    case Operand::Kind::sink:
      cursor_.fail("an address begins with a register, a name or an integer");
  }
  if (base.negated) cursor_.fail("an address cannot be negated");
  address.elements.push_back(std::move(base));
  while (cursor_.accept(",")) address.elements.push_back(parse_operand());
  cursor_.expect("]", "at the end of an address");
  return address;
}

Operand FunctionParser::parse_elements(Operand::Kind kind, std::string_view close) {
  const Nesting nesting(cursor_);
  cursor_.take();
  Operand operand;
  operand.kind = kind;
  if (kind == Operand::Kind::list && cursor_.accept(close)) return operand;
  do {
    operand.elements.push_back(parse_operand());
  } while (cursor_.accept(","));
  cursor_.expect(close, kind == Operand::Kind::list ? "at the end of a list" : "at the end of a vector");
  return operand;
}

}  // namespace cudasim::ptx
