// SPDX-License-Identifier: MIT
// Hand-written, because PTX uses dots, percent signs and colons in ways that depend on their neighbours.
#include "ptx/lexer.h"

#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <string>

#include "ptx/parser.h"

namespace cudasim::ptx {
namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_hex_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }

constexpr std::array<bool, 256> make_follow_table() {
  std::array<bool, 256> table{};
  for (int c = 0; c < 128; ++c) {
    table[static_cast<std::size_t>(c)] = is_letter(static_cast<char>(c)) || is_digit(static_cast<char>(c));
  }
  return table;
}
constexpr std::array<bool, 256> kFollowTable = make_follow_table();
bool is_follow(char c) { return kFollowTable[static_cast<unsigned char>(c)]; }

Number float_from_token(const Token& token) {
  double value = 0;
  const auto result = std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
  if (result.ec != std::errc() || result.ptr != token.text.data() + token.text.size()) {
    throw SyntaxError(static_cast<int>(token.line), "malformed number '" + std::string(token.text.substr(0, 40)) + "'");
  }
  Number number;
  number.kind = Number::Kind::f64;
  std::memcpy(&number.bits, &value, sizeof value);
  return number;
}

}  // namespace

Lexer::Lexer(std::string_view text) : text_(text) {
  if (text.size() > std::numeric_limits<std::int32_t>::max()) throw SyntaxError(1, "the text is longer than 2 GiB");
}

Token Lexer::next() {
  skip_blanks();
  return position_ < text_.size() ? scan_token() : Token{{}, line_, TokenKind::end};
}

void Lexer::fail(const std::string& message) const { throw SyntaxError(static_cast<int>(line_), message); }

void Lexer::skip_blanks() {
  for (;;) {
    const char c = at();
    if (c == '\n') {
      ++line_;
      ++position_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++position_;
    } else if (c == '/' && at(1) == '/') {
      while (position_ < text_.size() && text_[position_] != '\n') ++position_;
    } else if (c == '/' && at(1) == '*') {
      const auto end = text_.find("*/", position_ + 2);
      if (end == std::string_view::npos) fail("the comment that begins here with /* is never closed");
      for (; position_ < end + 2; ++position_) line_ += text_[position_] == '\n' ? 1u : 0u;
    } else {
      return;
    }
  }
}

Token Lexer::scan_token() {
  const char c = at();
  if (is_letter(c) || (c == '%' && is_letter(at(1)))) return scan_word();
  if (is_digit(c) || (c == '.' && is_digit(at(1)))) return scan_number();
  if (c == '.' && is_letter(at(1))) return scan_directive();
  if (c == '"') return scan_string();
  static constexpr std::string_view kPunctuation = "{}()[];:,+-*/%|&^~!@<>=?";
  if (c == '\0' || kPunctuation.find(c) == std::string_view::npos) {
    static constexpr char kHex[] = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    const bool printable = byte > 32 && byte < 127;
    fail(std::string("unexpected character ") +
         (printable ? std::string("'") + c + "'" : std::string("0x") + kHex[byte >> 4] + kHex[byte & 15]));
  }
  const auto begin = position_;
  position_ += (c == '<' || c == '>') && at(1) == c ? 2u : 1u;
  return from(begin, TokenKind::punctuation);
}

Token Lexer::scan_word() {
  const auto begin = position_++;
  for (;;) {
    if (is_follow(at())) {
      ++position_;
    } else if (at() == '.' && is_follow(at(1))) {
      position_ += 2;
    } else if (at() == ':' && at(1) == ':' && is_follow(at(2))) {  // L1::no_allocate; a label has one colon
      position_ += 3;
    } else {
      break;
    }
  }
  return from(begin, TokenKind::word);
}

Token Lexer::scan_directive() {
  const auto begin = position_++;
  for (;;) {
    if (is_follow(at())) {
      ++position_;
    } else if (at() == ':' && at(1) == ':' && is_follow(at(2))) {
      position_ += 3;
    } else {
      break;
    }
  }
  return from(begin, TokenKind::directive);
}

Token Lexer::scan_string() {
  const auto begin = ++position_;
  while (at() != '"') {
    if (position_ >= text_.size() || at() == '\n') fail("the string that begins here is not closed on its line");
    position_ += at() == '\\' && at(1) != '\n' && at(1) != '\0' ? 2u : 1u;
  }
  const Token string = from(begin, TokenKind::string);
  ++position_;
  return string;
}

Token Lexer::scan_number() {
  const auto begin = position_;
  const char second = at(1);
  const bool zero = at() == '0';
  bool complete = true;
  if (zero && (second == 'x' || second == 'X' || second == 'b' || second == 'B')) {
    position_ += 2;
    scan_digits(second == 'x' || second == 'X' ? is_hex_digit : +[](char c) { return c == '0' || c == '1'; });
    complete = position_ > begin + 2;
    if (at() == 'U') ++position_;
  } else if (zero && (second == 'f' || second == 'F' || second == 'd' || second == 'D')) {
    position_ += 2;
    scan_digits(is_hex_digit);
    complete = position_ - begin == (second == 'f' || second == 'F' ? 10u : 18u);
  } else {
    scan_digits(is_digit);
    if (at() == '.') {
      ++position_;
      scan_digits(is_digit);
    }
    if ((at() == 'e' || at() == 'E') && (is_digit(at(1)) || ((at(1) == '+' || at(1) == '-') && is_digit(at(2))))) {
      position_ += 2;
      scan_digits(is_digit);
    }
    if (at() == 'U') ++position_;
  }
  if (!complete || is_follow(at())) {
    scan_digits(is_follow);
    fail("malformed number '" + std::string(text_.substr(begin, std::min<std::size_t>(position_ - begin, 40))) + "'");
  }
  return from(begin, TokenKind::number);
}

Number number_from_token(const Token& token) {
  std::string_view digits = token.text;
  Number number;
  int base = 10;
  const char second = digits.size() > 1 && digits[0] == '0' ? digits[1] : '\0';
  if (second == 'f' || second == 'F' || second == 'd' || second == 'D') {
    number.kind = second == 'f' || second == 'F' ? Number::Kind::f32 : Number::Kind::f64;
    std::from_chars(digits.data() + 2, digits.data() + digits.size(), number.bits, 16);  // the lexer counted the digits
    return number;
  }
  if (second == 'x' || second == 'X') {
    base = 16;
  } else if (second == 'b' || second == 'B') {
    base = 2;
  } else if (digits.find_first_of(".eE") != std::string_view::npos) {
    return float_from_token(token);
  } else if (is_digit(second)) {
    base = 8;
  }
  if (base == 16 || base == 2) digits.remove_prefix(2);
  if (digits.back() == 'U') {
    number.is_unsigned = true;
    digits.remove_suffix(1);
  }
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), number.bits, base);
  if (result.ec == std::errc::result_out_of_range) {
    throw SyntaxError(static_cast<int>(token.line),
                      "the number '" + std::string(token.text.substr(0, 40)) + "' does not fit into 64 bits");
  }
  if (result.ec != std::errc() || result.ptr != digits.data() + digits.size()) {
    throw SyntaxError(static_cast<int>(token.line), "malformed number '" + std::string(token.text.substr(0, 40)) + "'");
  }
  if (number.bits >> 63) number.is_unsigned = true;
  return number;
}

}  // namespace cudasim::ptx
