// SPDX-License-Identifier: MIT
// Declarations of variables and parameters with their initialisers, and what all parts of the parser share.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ptx/constants.h"
#include "ptx/cursor.h"
#include "ptx/module.h"

namespace cudasim::ptx {

/// What one parse carries along. Views in it point into the text.
struct Context {
  explicit Context(std::string_view text) : cursor(text), text_bytes(text.size()), initialisers_left(text.size()) {}

  /// In all of the module. nvcc's largest kernels have some ten thousand; a hostile `<N>` costs three bytes.
  static constexpr std::uint64_t kRegisterLimit = 1'000'000;

  Cursor cursor;
  Module module;
  std::uint64_t text_bytes;
  std::uint64_t initialisers_left;  ///< one for each byte of text: padding of nested braces must not outgrow it
  std::uint64_t registers_left = kRegisterLimit;
  std::unordered_set<std::string_view> names;                   ///< of variables and functions of module scope, so far
  std::unordered_map<std::string_view, std::size_t> variables;  ///< index into module.variables
  std::unordered_set<std::string_view> defined_functions;
  std::unordered_map<std::string_view, unsigned> shared_names;  ///< of .shared in functions: how often used
};

/// What stands before the names: `.align 4 .b8`.
struct DeclarationHead {
  Space space = Space::global;
  Type type = Type::none;
  std::uint64_t vector_length = 1;
  std::uint32_t align = 0;  ///< 0: natural
  bool is_managed = false;
};

/// Behind the state space. Throws SyntaxError when there is no type or one that a variable cannot have.
DeclarationHead parse_head(Context& context, Space space);

/// One name with its dimensions: `name`, `name[40]`, `name[2][3]`, `name[]`; with `= ...` when `may_initialise`.
Variable parse_declarator(Context& context, const DeclarationHead& head, bool may_initialise);

/// `(.param .u64 a, .param .align 4 .b8 b[40])`; a register parameter gets Space::reg.
std::vector<Variable> parse_parameters(Context& context);

/// `.pragma` and its strings mean nothing to a simulator. Called with the directive already taken.
void skip_pragma(Cursor& cursor);

/// The type that a `.u32` names, or Type::none.
Type type_of(const Token& token);

/// The initialiser behind `=`. `dimensions` as written, 0 for `[]`. Fills `initialisers`, not the sizes of `variable`.
void parse_initialiser(Context& context, const std::vector<std::uint64_t>& dimensions, Variable& variable);

}  // namespace cudasim::ptx
