// SPDX-License-Identifier: MIT
// Heads, dimensions and parameter lists. Sizes are numbers only: nothing is allocated by element count.
#include "ptx/declarations.h"

namespace cudasim::ptx {
namespace {

constexpr std::uint64_t kLargestBytes = 1ull << 48;

std::uint32_t parse_alignment(Cursor& cursor) {
  const std::uint64_t align = cursor.expect_integer("an alignment after .align", 1u << 30);
  if (align == 0 || (align & (align - 1)) != 0)
    cursor.fail("an alignment is a power of two, not " + std::to_string(align));
  return static_cast<std::uint32_t>(align);
}

/// `.ptr .global .align 4`: describes what a parameter points to, not the parameter itself.
void skip_pointer_attributes(Cursor& cursor) {
  for (;;) {
    if (cursor.accept(".align")) {
      parse_alignment(cursor);
    } else if (!cursor.accept(".global") && !cursor.accept(".const") && !cursor.accept(".shared") &&
               !cursor.accept(".local") && !cursor.accept(".param") && !cursor.accept(".generic")) {
      return;
    }
  }
}

void parse_attributes(Cursor& cursor, DeclarationHead& head) {
  cursor.expect("(", "after .attribute");
  while (!cursor.accept(")")) {
    if (cursor.at(TokenKind::end)) cursor.fail_expected("')' at the end of .attribute");
    head.is_managed = cursor.at(".managed") || head.is_managed;
    cursor.take();
  }
}

/// Dimensions as written; 0 for `[]`, which only the first can be.
std::vector<std::uint64_t> parse_dimensions(Cursor& cursor) {
  std::vector<std::uint64_t> dimensions;
  while (cursor.accept("[")) {
    if (dimensions.size() >= Nesting::kLimit) cursor.fail("an array with too many dimensions");
    if (dimensions.empty() && cursor.accept("]")) {
      dimensions.push_back(0);
      continue;
    }
    const std::uint64_t size = parse_integer_constant(cursor);
    if (size > kLargestBytes) cursor.fail("an array of " + std::to_string(size) + " elements is too large");
    cursor.expect("]", "after the size of an array");
    dimensions.push_back(size);
  }
  return dimensions;
}

/// Throws when the product is larger than any memory.
std::uint64_t multiply(const Cursor& cursor, std::uint64_t a, std::uint64_t b) {
  if (b != 0 && a > kLargestBytes / b) cursor.fail("a variable of more than 2^48 bytes");
  return a * b;
}

bool names_opaque_type(const Token& token) {
  return token.text == ".texref" || token.text == ".samplerref" || token.text == ".surfref";
}

}  // namespace

Type type_of(const Token& token) {
  return token.kind == TokenKind::directive ? type_from_text(token.text.substr(1)) : Type::none;
}

void skip_pragma(Cursor& cursor) {
  do {
    cursor.expect(TokenKind::string, "a string after .pragma");
  } while (cursor.accept(","));
  cursor.expect(";", "after .pragma");
}

DeclarationHead parse_head(Context& context, Space space) {
  Cursor& cursor = context.cursor;
  DeclarationHead head;
  head.space = space;
  for (;;) {
    if (cursor.accept(".align")) {
      head.align = parse_alignment(cursor);
    } else if (cursor.accept(".v2")) {
      head.vector_length = 2;
    } else if (cursor.accept(".v4")) {
      head.vector_length = 4;
    } else if (cursor.accept(".attribute")) {
      parse_attributes(cursor, head);
    } else if (type_of(cursor.peek()) != Type::none && head.type == Type::none) {
      head.type = type_of(cursor.take());
    } else if (head.type != Type::none && space == Space::param && cursor.accept(".ptr")) {
      skip_pointer_attributes(cursor);
    } else {
      break;
    }
  }
  if (names_opaque_type(cursor.peek()))
    cursor.fail("textures, samplers and surfaces are not supported: " + quote(cursor.peek().text));
  if (head.type == Type::none) cursor.fail_expected("a type such as .b32 in a declaration");
  if (head.type == Type::pred && space != Space::reg) cursor.fail("a predicate can only be a register");
  if (space == Space::reg && head.vector_length != 1) cursor.fail("vector registers (.reg .v2) are not supported");
  return head;
}

Variable parse_declarator(Context& context, const DeclarationHead& head, bool may_initialise) {
  Cursor& cursor = context.cursor;
  Variable variable;
  variable.name = cursor.expect_name("the name of a variable");
  variable.space = head.space;
  variable.type = head.type;
  variable.is_managed = head.is_managed;
  std::vector<std::uint64_t> dimensions = parse_dimensions(cursor);
  variable.is_array = !dimensions.empty();
  if (head.vector_length != 1) dimensions.push_back(head.vector_length);
  const std::uint64_t natural = size_of(head.type) * head.vector_length;
  variable.align = head.align != 0 ? head.align : static_cast<std::uint32_t>(natural == 0 ? 1 : natural);
  if (may_initialise && cursor.accept("=")) parse_initialiser(context, dimensions, variable);
  std::uint64_t row = 1;  // elements in one step of the first dimension
  for (std::size_t i = 1; i < dimensions.size(); ++i) row = multiply(cursor, row, dimensions[i]);
  const bool unsized = !dimensions.empty() && dimensions[0] == 0 && variable.is_array;
  if (unsized) {
    dimensions[0] = row == 0 ? 0 : (variable.initialisers.size() + row - 1) / row;
  }
  variable.element_count = dimensions.empty() ? 1 : multiply(cursor, row, dimensions[0]);
  variable.size_bytes = multiply(cursor, variable.element_count, size_of(head.type));
  if (variable.initialisers.size() > variable.element_count) {
    cursor.fail("more initialisers than elements for " + quote(variable.name));
  }
  return variable;
}

std::vector<Variable> parse_parameters(Context& context) {
  Cursor& cursor = context.cursor;
  std::vector<Variable> parameters;
  cursor.expect("(", "before the parameters");
  if (cursor.accept(")")) return parameters;
  do {
    const bool is_register = cursor.accept(".reg");
    if (!is_register && !cursor.accept(".param")) cursor.fail_expected("'.param' in a list of parameters");
    const DeclarationHead head = parse_head(context, is_register ? Space::reg : Space::param);
    parameters.push_back(parse_declarator(context, head, false));
  } while (cursor.accept(","));
  cursor.expect(")", "after the parameters");
  return parameters;
}

}  // namespace cudasim::ptx
