// SPDX-License-Identifier: MIT
// The values behind `=` of a module variable, brought into the representation of the element type.
// Fewer values than elements are allowed, as in C: the rest is zero, and is not stored.
#include <cstring>

#include "ptx/declarations.h"

namespace cudasim::ptx {
namespace {

bool is_float(Type type) { return type == Type::f32 || type == Type::f64; }

double double_from_bits(std::uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// As f64: exact from f32, rounded to nearest from an integer.
double value_of(const Number& number) {
  switch (number.kind) {
    case Number::Kind::f64:
      return double_from_bits(number.bits);
    case Number::Kind::f32: {
      const auto narrow = static_cast<std::uint32_t>(number.bits);
      float value;
      std::memcpy(&value, &narrow, sizeof value);
      return static_cast<double>(value);
    }
    case Number::Kind::integer:
      break;
  }
  return number.is_unsigned ? static_cast<double>(number.bits)
                            : static_cast<double>(static_cast<std::int64_t>(number.bits));
}

std::uint64_t element_bits(const Cursor& cursor, const Number& number, Type type) {
  if (type == Type::f32 && number.kind != Number::Kind::f32) {
    const auto value = static_cast<float>(value_of(number));
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  if (type == Type::f64 && number.kind != Number::Kind::f64) {
    const double value = value_of(number);
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  const unsigned size = size_of(type);
  const bool fits = number.kind == Number::Kind::integer || size == (number.kind == Number::Kind::f32 ? 4 : 8);
  if (!fits) cursor.fail("a floating-point number cannot initialise an element of this type");
  return size >= 8 ? number.bits : number.bits & ((1ull << (size * 8)) - 1);
}

/// `name`, `name+4`, `generic(name)`, `generic(name)+4`, `generic(name+4)`.
Variable::Initialiser parse_symbol(Cursor& cursor) {
  Variable::Initialiser value;
  value.generic = cursor.at("generic") && cursor.peek_next().text == "(";
  if (value.generic) {
    cursor.take();
    cursor.take();
  }
  value.symbol = cursor.expect_name("a variable or function in an initialiser");
  std::uint64_t displacement = static_cast<std::uint64_t>(parse_displacement(cursor));
  if (value.generic) {
    cursor.expect(")", "after generic(");
    displacement += static_cast<std::uint64_t>(parse_displacement(cursor));
  }
  value.bits = displacement;
  return value;
}

class InitialiserParser {
 public:
  InitialiserParser(Context& context, const std::vector<std::uint64_t>& dimensions, Variable& variable)
      : context_(context), cursor_(context.cursor), dimensions_(dimensions), variable_(variable) {}

  void parse() {
    if (cursor_.at("{")) {
      if (dimensions_.empty())
        cursor_.fail("a list in braces initialises " + quote(variable_.name) + ", which is no array");
      parse_braces(0);
    } else {
      parse_element();
    }
  }

 private:
  void add(Variable::Initialiser value) {
    if (context_.initialisers_left == 0) cursor_.fail("more initialisers than the text is long");
    --context_.initialisers_left;
    variable_.initialisers.push_back(std::move(value));
  }

  void parse_element();
  void parse_braces(std::size_t level);

  /// Elements in one brace of `level`; never 0.
  std::uint64_t stride(std::size_t level) const {
    std::uint64_t elements = 1;
    for (std::size_t i = level; i < dimensions_.size(); ++i) {
      if (dimensions_[i] != 0 && elements > (1ull << 48) / dimensions_[i]) cursor_.fail("an array that is too large");
      elements *= dimensions_[i];
    }
    return elements == 0 ? 1 : elements;
  }

  Context& context_;
  Cursor& cursor_;
  const std::vector<std::uint64_t>& dimensions_;
  Variable& variable_;
};

void InitialiserParser::parse_element() {
  Variable::Initialiser value;
  const bool masked = cursor_.at(TokenKind::number) && cursor_.peek_next().text == "(" &&
                      cursor_.peek_next().kind == TokenKind::punctuation;
  if (masked) {  // 0xFF00(generic(symbol)): one byte of an address
    const std::uint64_t mask = cursor_.expect_integer("a mask");
    cursor_.take();
    value = parse_symbol(cursor_);
    value.mask = mask;
    cursor_.expect(")", "after a masked address");
  } else if (at_constant(cursor_)) {
    value.bits = element_bits(cursor_, parse_constant(cursor_), variable_.type);
  } else {
    value = parse_symbol(cursor_);
  }
  if (!value.symbol.empty() && is_float(variable_.type))
    cursor_.fail("an address cannot initialise a floating-point number");
  add(std::move(value));
}

void InitialiserParser::parse_braces(std::size_t level) {
  const Nesting nesting(cursor_);
  const std::uint64_t elements = stride(level);
  const std::size_t begin = variable_.initialisers.size();
  cursor_.expect("{", "before the values of an initialiser");
  while (!cursor_.at("}")) {
    if (!cursor_.at("{")) {
      parse_element();
    } else if (level + 1 < dimensions_.size()) {
      parse_braces(level + 1);
    } else {
      cursor_.fail("braces are nested more deeply than " + quote(variable_.name) + " has dimensions");
    }
    if (!cursor_.accept(",")) break;
  }
  cursor_.expect("}", "at the end of an initialiser");
  const bool unsized = level == 0 && dimensions_[0] == 0;
  if (!unsized && variable_.initialisers.size() - begin > elements) {
    cursor_.fail("more initialisers than elements for " + quote(variable_.name));
  }
  while (level > 0 && variable_.initialisers.size() - begin < elements) add({});  // the next row begins at its place
}

}  // namespace

void parse_initialiser(Context& context, const std::vector<std::uint64_t>& dimensions, Variable& variable) {
  InitialiserParser(context, dimensions, variable).parse();
}

}  // namespace cudasim::ptx
