// SPDX-License-Identifier: MIT
#include "ptx/cursor.h"

namespace cudasim::ptx {

SyntaxError::SyntaxError(int line_number, const std::string& message)
    : std::runtime_error("PTX line " + std::to_string(line_number) + ": " + message), line(line_number) {}

std::string quote(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string quoted = "'";
  for (const char c : text.substr(0, kLongest)) quoted += static_cast<unsigned char>(c) < 32 || c == 127 ? '?' : c;
  if (text.size() > kLongest) quoted += "...";
  return quoted + "'";
}

Nesting::Nesting(Cursor& cursor) : cursor_(cursor) {
  if (cursor.depth_ >= kLimit) cursor.fail("nested more than " + std::to_string(kLimit) + " levels deep");
  ++cursor.depth_;
}

void Cursor::fail(const std::string& message) const { throw SyntaxError(static_cast<int>(peek().line), message); }

void Cursor::fail_expected(const std::string& what) const {
  const Token& found = peek();
  if (found.kind == TokenKind::end) fail("expected " + what + ", found the end of the text");
  fail("expected " + what + ", found " + (found.kind == TokenKind::string ? "the string " : "") + quote(found.text));
}

void Cursor::expect(std::string_view text, std::string_view where) {
  if (!accept(text)) fail_expected(quote(text) + " " + std::string(where));
}

Token Cursor::expect(TokenKind kind, std::string_view what) {
  if (!at(kind)) fail_expected(std::string(what));
  return take();
}

std::string_view Cursor::expect_name(std::string_view what) {
  if (!at(TokenKind::word) || peek().text[0] == '%' || peek().text.find_first_of(".:") != std::string_view::npos) {
    fail_expected(std::string(what));
  }
  return take().text;
}

std::uint64_t Cursor::expect_integer(std::string_view what, std::uint64_t maximum) {
  if (!at(TokenKind::number)) fail_expected(std::string(what));
  const Number number = number_from_token(peek());
  if (number.kind != Number::Kind::integer) fail_expected(std::string(what));
  if (number.bits > maximum) {
    fail(std::string(what) + ": " + quote(peek().text) + " is larger than " + std::to_string(maximum));
  }
  take();
  return number.bits;
}

}  // namespace cudasim::ptx
