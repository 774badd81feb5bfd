// SPDX-License-Identifier: MIT
// A place in the tokens of a PTX text: look, take and expect. An error names what was expected when something else
// stands there.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "ptx/lexer.h"
#include "ptx/parser.h"

namespace cudasim::ptx {

class Cursor {
 public:
  explicit Cursor(std::string_view text) : lexer_(text), current_(lexer_.next()), next_(lexer_.next()) {}

  Token peek() const { return current_; }
  /// The token behind the current one; the end token beyond the end.
  Token peek_next() const { return next_; }
  bool at(std::string_view text) const { return peek().text == text && is_plain(peek()); }
  bool at(TokenKind kind) const { return peek().kind == kind; }

  Token take() {
    const Token token = current_;
    current_ = next_;
    next_ = lexer_.next();
    return token;
  }
  /// Takes a word, directive or punctuation when it reads exactly `text`.
  bool accept(std::string_view text) {
    if (!at(text)) return false;
    take();
    return true;
  }

  // Each throws SyntaxError "expected <what>, found ..." where something else stands.
  void expect(std::string_view text, std::string_view where);
  Token expect(TokenKind kind, std::string_view what);
  /// A word without a percent sign or a dot: what a variable, label or function can be called.
  std::string_view expect_name(std::string_view what);
  std::uint64_t expect_integer(std::string_view what,
                               std::uint64_t maximum = std::numeric_limits<std::uint64_t>::max());

  [[noreturn]] void fail(const std::string& message) const;
  [[noreturn]] void fail_expected(const std::string& what) const;

 private:
  static bool is_plain(const Token& token) {
    return token.kind != TokenKind::string && token.kind != TokenKind::number;
  }
  friend class Nesting;

  Lexer lexer_;
  Token current_, next_;
  int depth_ = 0;
};

/// Counts how deeply brackets are nested while it lives, so that recursion stays bounded. Throws SyntaxError beyond the
/// limit.
class Nesting {
 public:
  static constexpr int kLimit = 200;
  explicit Nesting(Cursor& cursor);
  ~Nesting() { --cursor_.depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  Cursor& cursor_;
};

/// For messages: short, and without control characters.
std::string quote(std::string_view text);

}  // namespace cudasim::ptx
