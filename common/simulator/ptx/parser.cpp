// SPDX-License-Identifier: MIT
// What stands outside functions: version and target, variables, functions, files and debug sections.
#include "ptx/parser.h"

#include <algorithm>

#include "ptx/declarations.h"
#include "ptx/function_parser.h"
#include "ptx/locations.h"

namespace cudasim::ptx {
namespace {

class ModuleParser {
 public:
  explicit ModuleParser(std::string_view text) : context_(text), cursor_(context_.cursor), locations_(context_) {}

  Module parse() {
    if (!cursor_.at(".version")) cursor_.fail_expected("'.version' at the beginning of a PTX text");
    while (!cursor_.at(TokenKind::end)) parse_statement();
    if (context_.module.target.empty()) cursor_.fail("the text names no target (.target sm_75)");
    locations_.resolve_functions();
    return std::move(context_.module);
  }

 private:
  void parse_statement();
  void parse_target();
  void parse_linkable();
  void parse_variables(Space space, bool is_extern, Linkage linkage);
  void keep_variable(std::string_view name, Variable variable);
  void parse_function(Linkage linkage);

  Context context_;
  Cursor& cursor_;
  LocationReader locations_;
};

void ModuleParser::parse_statement() {
  if (cursor_.accept(".version")) {
    context_.module.version = cursor_.expect(TokenKind::number, "a number after .version").text;
  } else if (cursor_.accept(".target")) {
    parse_target();
  } else if (cursor_.accept(".address_size")) {
    if (cursor_.expect_integer("32 or 64 after .address_size") != 64)
      cursor_.fail("only 64-bit addresses are supported");
  } else if (cursor_.accept(".file")) {
    locations_.parse_file();
  } else if (cursor_.accept(".loc")) {
    locations_.parse_loc();
  } else if (cursor_.accept(".section")) {
    locations_.parse_section();
  } else if (cursor_.accept(".pragma")) {
    skip_pragma(cursor_);
  } else if (!cursor_.accept(";")) {
    parse_linkable();
  }
}

void ModuleParser::parse_target() {
  do {
    const Token word = cursor_.expect(TokenKind::word, "a target such as sm_75");
    if (word.text == "debug") context_.module.debug = true;
    if (context_.module.target.empty() && word.text.substr(0, 3) == "sm_") context_.module.target = word.text;
  } while (cursor_.accept(","));
}

void ModuleParser::parse_linkable() {
  bool is_extern = false;
  auto linkage = Linkage::local;
  for (;;) {
    if (cursor_.accept(".extern")) {
      is_extern = true;
    } else if (cursor_.accept(".visible")) {
      linkage = Linkage::visible;
    } else if (cursor_.accept(".weak") || cursor_.accept(".common")) {
      linkage = Linkage::weak;
    } else {
      break;
    }
  }
  if (cursor_.at(".entry") || cursor_.at(".func")) return parse_function(linkage);
  if (cursor_.accept(".global")) return parse_variables(Space::global, is_extern, linkage);
  if (cursor_.accept(".const")) return parse_variables(Space::constant, is_extern, linkage);
  if (cursor_.accept(".shared")) return parse_variables(Space::shared, is_extern, linkage);
  if (cursor_.at(TokenKind::directive))
    cursor_.fail("the directive " + quote(cursor_.peek().text) + " is not supported at module scope");
  cursor_.fail_expected("a directive at module scope");
}

void ModuleParser::parse_variables(Space space, bool is_extern, Linkage linkage) {
  const DeclarationHead head = parse_head(context_, space);
  do {
    const std::string_view name = cursor_.peek().text;
    Variable variable = parse_declarator(context_, head, !is_extern && space != Space::shared);
    variable.is_extern = is_extern;
    variable.linkage = linkage;
    keep_variable(name, std::move(variable));
  } while (cursor_.accept(","));
  cursor_.expect(";", "after the declaration of a variable");
}

/// A name stands once in the module: its definition, or else its first declaration.
void ModuleParser::keep_variable(std::string_view name, Variable variable) {
  auto& variables = context_.module.variables;
  const auto [known, is_new] = context_.variables.emplace(name, variables.size());
  if (is_new) {
    if (!context_.names.insert(name).second) cursor_.fail(quote(name) + " is both a function and a variable");
    variables.push_back(std::move(variable));
    return;
  }
  Variable& earlier = variables[known->second];
  if (!earlier.is_extern && !variable.is_extern) cursor_.fail("the variable " + quote(name) + " is defined twice");
  if (earlier.is_extern && !variable.is_extern) earlier = std::move(variable);
}

void ModuleParser::parse_function(Linkage linkage) {
  FunctionParser parser(context_, locations_);
  context_.module.functions.push_back(parser.parse());
  context_.module.functions.back().linkage = linkage;
}

}  // namespace

Module parse(std::string_view text) {
  while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
  return ModuleParser(text).parse();
}

}  // namespace cudasim::ptx
