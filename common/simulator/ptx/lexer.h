// SPDX-License-Identifier: MIT
// PTX text to tokens: what stands on which line does not matter to PTX. Tokens are views into the text, so they live no
// longer than it does.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cudasim::ptx {

enum class TokenKind : std::uint8_t {
  word,       ///< `add.rn.f32`, `%tid.x`, `$L__BB0_1`, `ld.global.L1::no_allocate.f32`, `_`: dots inside belong to it.
  directive,  ///< `.reg`, `.b32`: one dot, at the front; `.reg.b32` is two of them.
  number,     ///< Not yet converted: see number_from_token.
  string,     ///< Between the quotes, escapes untouched.
  punctuation,  ///< One character, or `<<` or `>>`.
  end,          ///< The last token, with an empty text.
};

struct Token {
  std::string_view text;
  std::uint32_t line = 0;  ///< 1-based
  TokenKind kind = TokenKind::end;
};

class Lexer {
 public:
  /// Throws SyntaxError when the text is longer than 2 GiB.
  explicit Lexer(std::string_view text);
  /// The next token; behind the last one always one of kind `end`. Throws SyntaxError on a character, comment, string
  /// or number that is not PTX.
  Token next();

 private:
  // The character `ahead` of the current one; NUL, which is no PTX character, beyond the end.
  char at(std::size_t ahead = 0) const { return ahead < text_.size() - position_ ? text_[position_ + ahead] : '\0'; }
  [[noreturn]] void fail(const std::string& message) const;
  void skip_blanks();
  Token scan_token();
  Token scan_word();
  Token scan_directive();
  Token scan_string();
  Token scan_number();
  void scan_digits(bool (*accepts)(char)) {
    while (accepts(at())) ++position_;
  }
  Token from(std::size_t begin, TokenKind kind) const { return {text_.substr(begin, position_ - begin), line_, kind}; }

  std::string_view text_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
};

/// A numeric literal (PTX ISA, section 4.5).
struct Number {
  enum class Kind : std::uint8_t { integer, f32, f64 };
  Kind kind = Kind::integer;
  std::uint64_t bits = 0;
  bool is_unsigned = false;  ///< written with U, or too large for a signed 64-bit number
};

/// Throws SyntaxError when the literal does not fit into 64 bits.
Number number_from_token(const Token& token);

}  // namespace cudasim::ptx
