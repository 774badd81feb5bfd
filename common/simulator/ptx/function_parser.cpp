// SPDX-License-Identifier: MIT
// Headers, scopes and declarations of functions. Instructions are in operand_parser.cpp.
#include "ptx/function_parser.h"

#include <limits>

namespace cudasim::ptx {

Function FunctionParser::parse() {
  parse_header();
  function_.is_declaration = cursor_.accept(";");
  if (!function_.is_declaration) parse_body();
  return std::move(function_);
}

void FunctionParser::parse_header() {
  function_.ptx_line = static_cast<std::int32_t>(cursor_.peek().line);
  function_.is_entry = cursor_.take().text == ".entry";
  if (cursor_.at(".attribute")) skip_unknown_directive();
  if (!function_.is_entry && cursor_.at("(")) function_.returns = parse_parameters(context_);
  name_ = cursor_.expect_name("the name of a function");
  if (context_.variables.count(name_) != 0) cursor_.fail(quote(name_) + " is both a function and a variable");
  context_.names.insert(name_);
  function_.name = name_;
  if (cursor_.at("(")) function_.parameters = parse_parameters(context_);
  parse_function_directives();
}

/// The directives between the parameters and the body. The limits on a launch are kept. Directives that only control
/// how ptxas optimises are skipped, known or not: .maxnreg, .minnctapersm, .noreturn, .abi_preserve and later ones.
void FunctionParser::parse_function_directives() {
  while (cursor_.at(TokenKind::directive)) {
    if (cursor_.accept(".maxntid")) {
      parse_thread_counts(function_.max_threads);
    } else if (cursor_.accept(".reqntid")) {
      parse_thread_counts(function_.required_threads);
    } else if (cursor_.accept(".reqnctapercluster")) {
      parse_thread_counts(function_.cluster_blocks);
    } else if (cursor_.accept(".pragma")) {
      skip_pragma(cursor_);
    } else {
      skip_unknown_directive();
    }
  }
}

/// One to three numbers; those left out are 1.
void FunctionParser::parse_thread_counts(std::uint32_t (&counts)[3]) {
  counts[0] = counts[1] = counts[2] = 1;
  for (auto& count : counts) {
    count = static_cast<std::uint32_t>(
        cursor_.expect_integer("a number of threads", std::numeric_limits<std::uint32_t>::max()));
    if (!cursor_.accept(",")) return;
  }
  cursor_.fail("a block has three dimensions at most");
}

void FunctionParser::skip_unknown_directive() {
  cursor_.take();
  if (cursor_.accept("(")) {
    while (!cursor_.accept(")")) {
      if (cursor_.at(TokenKind::end)) cursor_.fail_expected("')' in a directive of a function");
      cursor_.take();
    }
    return;
  }
  while (cursor_.at(TokenKind::number)) {
    cursor_.take();
    if (!cursor_.accept(",")) return;
  }
}

void FunctionParser::open_scope() {
  if (++depth_ > Nesting::kLimit)
    cursor_.fail("scopes are nested more than " + std::to_string(Nesting::kLimit) + " levels deep");
  symbols_.open_scope();
  labels_.open_scope();
}

void FunctionParser::close_scope() {
  --depth_;
  symbols_.close_scope();
  labels_.close_scope();
}

void FunctionParser::parse_body() {
  if (!context_.defined_functions.insert(name_).second)
    cursor_.fail("the function " + quote(name_) + " is defined twice");
  locations_.begin_function();
  cursor_.expect("{", "or ';' after the header of function " + quote(function_.name));
  open_scope();
  declare_parameters(function_.returns);
  declare_parameters(function_.parameters);
  open_scope();  // the names of the body may hide those of the parameters
  while (depth_ > 1) {
    const Token token = cursor_.peek();
    if (token.kind == TokenKind::word) {
      const bool is_label = cursor_.peek_next().kind == TokenKind::punctuation && cursor_.peek_next().text == ":";
      if (is_label) {
        parse_label();
      } else {
        parse_instruction();
      }
    } else if (token.kind == TokenKind::directive) {
      parse_directive();
    } else if (cursor_.accept("{")) {
      open_scope();
    } else if (cursor_.accept("}")) {
      close_scope();
    } else if (cursor_.at("@")) {
      parse_instruction();
    } else if (!cursor_.accept(";")) {
      cursor_.fail_expected("an instruction, a declaration, a label or '}' in function " + quote(function_.name));
    }
  }
  close_scope();
  if (const auto* missing = labels_.missing()) {
    throw SyntaxError(static_cast<int>(missing->line), "the label " + quote(missing->name) + " is not declared here");
  }
}

void FunctionParser::parse_directive() {
  if (cursor_.accept(".loc")) {
    location_ = locations_.parse_loc();
  } else if (cursor_.accept(".reg")) {
    parse_registers();
  } else if (cursor_.accept(".param")) {
    parse_variables(Space::param);
  } else if (cursor_.accept(".local")) {
    parse_variables(Space::local);
  } else if (cursor_.accept(".shared")) {
    parse_variables(Space::shared);
  } else if (cursor_.accept(".pragma")) {
    skip_pragma(cursor_);
  } else if (cursor_.accept(".file")) {
    locations_.parse_file();
  } else {
    cursor_.fail("the directive " + quote(cursor_.peek().text) + " is not supported inside a function");
  }
}

void FunctionParser::declare_register(std::string_view name, Type type) {
  if (context_.registers_left == 0) {
    cursor_.fail("more than " + std::to_string(Context::kRegisterLimit) + " registers in the module");
  }
  --context_.registers_left;
  SymbolTable::Symbol symbol;
  symbol.reg = static_cast<std::int32_t>(function_.registers.size());
  if (!symbols_.declare(name, std::move(symbol))) cursor_.fail(quote(name) + " is declared twice in the same scope");
  function_.registers.push_back({std::string(name), type});
}

void FunctionParser::parse_registers() {
  const DeclarationHead head = parse_head(context_, Space::reg);
  do {
    const std::string_view name = cursor_.expect(TokenKind::word, "the name of a register").text;
    if (name == "_" || name.find_first_of(".:") != std::string_view::npos)
      cursor_.fail(quote(name) + " cannot name a register");
    if (!cursor_.accept("<")) {
      declare_register(name, head.type);
      continue;
    }
    const std::uint64_t count =
        cursor_.expect_integer("the number of registers", std::numeric_limits<std::uint32_t>::max());
    cursor_.expect(">", "after the number of registers");
    if (count > context_.registers_left) {
      cursor_.fail("more than " + std::to_string(Context::kRegisterLimit) + " registers in the module");
    }
    context_.registers_left -= count;
    SymbolTable::Symbol family;
    family.kind = SymbolTable::Symbol::Kind::family;
    family.reg = static_cast<std::int32_t>(function_.registers.size());
    family.count = static_cast<std::uint32_t>(count);
    if (!symbols_.declare(name, std::move(family)))
      cursor_.fail(quote(name) + "<> is declared twice in the same scope");
    for (std::uint64_t i = 0; i < count; ++i)
      function_.registers.push_back({std::string(name) + std::to_string(i), head.type});
  } while (cursor_.accept(","));
  cursor_.expect(";", "after the names of registers");
}

/// Names of .shared variables are unique in the whole module, since a kernel's shared memory also holds those of the
/// functions that it calls. All others are unique in the function and different from those of module scope.
std::string FunctionParser::unique_variable_name(std::string_view name, Space space) {
  unsigned& uses = variable_uses_[name];
  if (uses == 0 && context_.names.count(name) != 0) uses = 1;
  if (space != Space::shared) return make_unique_name(name, variable_uses_);
  const unsigned shared_uses = ++context_.shared_names[name];
  ++uses;
  return uses == 1 && shared_uses == 1 ? std::string(name)
                                       : std::string(name) + "#shared" + std::to_string(shared_uses);
}

void FunctionParser::parse_variables(Space space) {
  const DeclarationHead head = parse_head(context_, space);
  do {
    const std::string_view name = cursor_.peek().text;
    Variable variable = parse_declarator(context_, head, false);
    SymbolTable::Symbol symbol;
    symbol.kind = SymbolTable::Symbol::Kind::variable;
    symbol.unique_name = unique_variable_name(name, space);
    variable.name = symbol.unique_name;
    if (!symbols_.declare(name, std::move(symbol))) cursor_.fail(quote(name) + " is declared twice in the same scope");
    function_.variables.push_back(std::move(variable));
  } while (cursor_.accept(","));
  cursor_.expect(";", "after the declaration of a variable");
}

/// The tables keep views of `parameters`, which is a part of function_ and does not change any more.
void FunctionParser::declare_parameters(const std::vector<Variable>& parameters) {
  for (const auto& parameter : parameters) {
    if (parameter.name == "_") continue;
    const std::string_view name = parameter.name;
    if (parameter.space == Space::reg) {
      declare_register(name, parameter.type);
      continue;
    }
    ++variable_uses_[name];
    SymbolTable::Symbol symbol;
    symbol.kind = SymbolTable::Symbol::Kind::variable;
    symbol.unique_name = parameter.name;
    if (!symbols_.declare(name, std::move(symbol))) cursor_.fail("the parameter " + quote(name) + " is declared twice");
  }
}

void FunctionParser::parse_label() {
  const std::string_view text = cursor_.expect_name("a label");
  const std::string name = labels_.declare(text);
  if (name.empty()) cursor_.fail("the label " + quote(text) + " is declared twice in the same scope");
  cursor_.take();  // the colon
  if (cursor_.accept(".callprototype")) {
    parse_prototype(name);
  } else if (cursor_.accept(".branchtargets")) {
    parse_targets(name, true);
  } else if (cursor_.accept(".calltargets")) {
    parse_targets(name, false);
  } else {
    function_.labels.push_back({name, static_cast<std::uint32_t>(function_.instructions.size())});
  }
}

void FunctionParser::parse_prototype(const std::string& name) {
  Prototype prototype;
  if (cursor_.at("(")) prototype.returns = parse_parameters(context_);
  cursor_.expect_name("'_' in .callprototype");
  if (cursor_.at("(")) prototype.parameters = parse_parameters(context_);
  parse_function_directives();
  cursor_.expect(";", "after .callprototype");
  function_.prototypes.push_back({name, std::move(prototype)});
}

void FunctionParser::parse_targets(const std::string& name, bool are_labels) {
  Function::BranchTargets targets{name, {}};
  do {
    LabelTable::Reference reference;
    reference.line = cursor_.peek().line;
    reference.name = cursor_.expect_name("a target");
    reference.owner = static_cast<std::uint32_t>(function_.branch_targets.size());
    reference.position = static_cast<std::uint32_t>(targets.labels.size());
    reference.in_table = reference.must_exist = true;
    targets.labels.emplace_back(reference.name);
    if (are_labels) labels_.refer(reference);
  } while (cursor_.accept(","));
  cursor_.expect(";", "after the targets");
  function_.branch_targets.push_back(std::move(targets));
}

}  // namespace cudasim::ptx
