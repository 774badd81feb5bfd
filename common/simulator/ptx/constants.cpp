// SPDX-License-Identifier: MIT
// By precedence climbing. Arithmetic is done on unsigned numbers, where overflow is defined and gives the same bits.
#include "ptx/constants.h"

#include <array>

#include "ptx/module.h"

namespace cudasim::ptx {
namespace {

constexpr int kLoosest = 1, kAdditive = 5, kTightest = 6;

int precedence_of(const Token& token) {
  struct Row {
    std::string_view text;
    int precedence;
  };
  static constexpr std::array<Row, 10> kRows = {
      {{"|", 1}, {"^", 2}, {"&", 3}, {"<<", 4}, {">>", 4}, {"+", 5}, {"-", 5}, {"*", 6}, {"/", 6}, {"%", 6}}};
  if (token.kind != TokenKind::punctuation) return 0;
  for (const auto& row : kRows) {
    if (row.text == token.text) return row.precedence;
  }
  return 0;
}

std::uint64_t divide(const Cursor& cursor, const Number& a, const Number& b, bool remainder) {
  if (b.bits == 0) cursor.fail("division by zero in a constant expression");
  if (a.is_unsigned || b.is_unsigned) return remainder ? a.bits % b.bits : a.bits / b.bits;
  if (b.bits == ~0ull) return remainder ? 0 : 0 - a.bits;  // -1, whose quotient can overflow
  const auto x = static_cast<std::int64_t>(a.bits), y = static_cast<std::int64_t>(b.bits);
  return static_cast<std::uint64_t>(remainder ? x % y : x / y);
}

std::uint64_t shift(const Number& a, std::uint64_t count, bool left) {
  const bool negative = !a.is_unsigned && (a.bits >> 63) != 0;
  if (count >= 64) return !left && negative ? ~0ull : 0;
  if (left) return a.bits << count;
  const std::uint64_t logical = a.bits >> count;
  return negative && count > 0 ? logical | ~0ull << (64 - count) : logical;
}

Number combine(const Cursor& cursor, char operation, const Number& a, const Number& b) {
  if (a.kind != Number::Kind::integer || b.kind != Number::Kind::integer) {
    cursor.fail("only integers can be combined in a constant expression");
  }
  Number result;
  result.is_unsigned = a.is_unsigned || b.is_unsigned;
  switch (operation) {
    case '+':
      result.bits = a.bits + b.bits;
      break;
    case '-':
      result.bits = a.bits - b.bits;
      break;
    case '*':
      result.bits = a.bits * b.bits;
      break;
    case '/':
      result.bits = divide(cursor, a, b, false);
      break;
    case '%':
      result.bits = divide(cursor, a, b, true);
      break;
    case '&':
      result.bits = a.bits & b.bits;
      break;
    case '|':
      result.bits = a.bits | b.bits;
      break;
    case '^':
      result.bits = a.bits ^ b.bits;
      break;
    default:
      result.bits = shift(a, b.bits, operation == '<');
      result.is_unsigned = a.is_unsigned;
  }
  return result;
}

Number parse_binary(Cursor& cursor, int lowest);

Number apply_unary(const Cursor& cursor, char operation, Number value) {
  if (operation == '+') return value;
  if (value.kind == Number::Kind::integer) {
    if (operation == '-') value.bits = 0 - value.bits;
    if (operation == '~') value.bits = ~value.bits;
    if (operation == '!') value.bits = value.bits == 0 ? 1 : 0;
    if (operation == '-' && value.bits == 1ull << 63) value.is_unsigned = false;  // the least signed number
    return value;
  }
  if (operation != '-') cursor.fail(std::string("'") + operation + "' needs an integer");
  value.bits ^= value.kind == Number::Kind::f32 ? 1ull << 31 : 1ull << 63;
  return value;
}

Number parse_parenthesis(Cursor& cursor) {
  const Token inside = cursor.peek();
  const bool has_dot = inside.kind == TokenKind::directive;
  const Type cast =
      has_dot || inside.kind == TokenKind::word ? type_from_text(inside.text.substr(has_dot ? 1 : 0)) : Type::none;
  if (cast == Type::s64 || cast == Type::u64) {
    cursor.take();
    cursor.expect(")", "after the type of a cast");
    Number value = parse_binary(cursor, kTightest + 1);
    if (value.kind != Number::Kind::integer) cursor.fail("only an integer can be cast in a constant expression");
    value.is_unsigned = cast == Type::u64;
    return value;
  }
  const Number value = parse_binary(cursor, kLoosest);
  cursor.expect(")", "at the end of the constant expression");
  return value;
}

Number parse_unary(Cursor& cursor) {
  const Nesting nesting(cursor);
  const Token token = cursor.peek();
  if (token.kind == TokenKind::number) {
    const Number number = number_from_token(token);
    cursor.take();
    return number;
  }
  if (cursor.accept("WARP_SZ")) {
    Number number;
    number.bits = 32;
    return number;
  }
  if (cursor.accept("(")) return parse_parenthesis(cursor);
  for (const char operation : {'-', '+', '~', '!'}) {
    if (cursor.accept(std::string_view(&operation, 1))) return apply_unary(cursor, operation, parse_unary(cursor));
  }
  cursor.fail_expected("a number");
}

Number parse_binary(Cursor& cursor, int lowest) {
  Number left = parse_unary(cursor);
  for (int precedence = precedence_of(cursor.peek()); precedence != 0 && precedence >= lowest;
       precedence = precedence_of(cursor.peek())) {
    const char operation = cursor.take().text[0];
    left = combine(cursor, operation, left, parse_binary(cursor, precedence + 1));
  }
  return left;
}

}  // namespace

Number parse_constant(Cursor& cursor) { return parse_binary(cursor, kLoosest); }

std::uint64_t parse_integer_constant(Cursor& cursor) {
  const Number number = parse_constant(cursor);
  if (number.kind != Number::Kind::integer) cursor.fail("a floating-point number where an integer is needed");
  return number.bits;
}

std::int64_t parse_displacement(Cursor& cursor) {
  Number sum;
  while (cursor.at("+") || cursor.at("-")) {
    const char operation = cursor.take().text[0];
    sum = combine(cursor, operation, sum, parse_binary(cursor, kAdditive + 1));
  }
  return static_cast<std::int64_t>(sum.bits);
}

bool at_constant(const Cursor& cursor) {
  const Token token = cursor.peek();
  if (token.kind == TokenKind::number) return true;
  if (token.kind == TokenKind::word) return token.text == "WARP_SZ";
  if (token.kind != TokenKind::punctuation) return false;
  if (token.text == "!") return cursor.peek_next().kind != TokenKind::word || cursor.peek_next().text == "WARP_SZ";
  return token.text == "-" || token.text == "+" || token.text == "~" || token.text == "(";
}

}  // namespace cudasim::ptx
