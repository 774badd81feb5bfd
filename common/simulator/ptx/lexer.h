// SPDX-License-Identifier: MIT
// PTX text to tokens, all of them before the first is parsed: what stands on which line does not matter to PTX.
// Tokens are views into the text, so they live no longer than it does.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace cudasim::ptx {

enum class TokenKind : std::uint8_t {
  word,         ///< `add.rn.f32`, `%tid.x`, `$L__BB0_1`, `ld.global.L1::no_allocate.f32`, `_`: dots inside belong to it
  directive,    ///< `.reg`, `.b32`: one dot, at the front; `.reg.b32` is two of them
  number,       ///< not yet converted: see number_from_token
  string,       ///< between the quotes, escapes untouched
  punctuation,  ///< one character, or `<<` or `>>`
  end,          ///< the last token, with an empty text
};

struct Token {
  std::string_view text;
  std::uint32_t line = 0;  ///< 1-based
  TokenKind kind = TokenKind::end;
};

/// Throws SyntaxError on a character, comment, string or number that is not PTX.
std::vector<Token> tokenize(std::string_view text);

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
