// SPDX-License-Identifier: MIT
// What a random kernel is written with. Everything follows from the seed, on every machine: the generator uses no
// distribution of the standard library. A *statement* is one instruction of interest with the few that make it defined.
// It can be left out without changing anything else. That is how the first one that differs is found.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace random_kernels {

/// splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// 0 to count - 1.
  unsigned below(unsigned count) { return static_cast<unsigned>((next() >> 32) * count >> 32); }
  bool chance(unsigned part, unsigned whole) { return below(whole) < part; }

 private:
  std::uint64_t state_;
};

/// Registers of each kind that carry values from statement to statement: %r0, %r1, ...
struct Registers {
  static constexpr unsigned words = 10, doubles = 5, floats = 5, wide_floats = 3, halves = 4, predicates = 4;
};

class Writer {
 public:
  Writer(std::uint64_t seed, unsigned statement_limit) : random(seed), statement_limit_(statement_limit) {}

  Random random;
  bool in_function = false;  // not in the kernel itself

  /// One line of PTX, as it is.
  void line(const std::string& text) { text_ += "  " + text + "\n"; }
  void label(const std::string& name) { text_ += name + ":\n"; }
  void outside(const std::string& text) { text_ += text + "\n"; }
  std::string new_label() { return "L" + std::to_string(next_label_++); }

  /// A statement from a template: instructions between "; ", choices "<a|b>", operands "$x" (see writer.cpp), "^"
  /// before an operand that is to be hidden. Now and then its last instruction gets a guard.
  void statement(const std::string& form);
  /// A statement in which all lanes take part: no guard.
  void statement_of_all(const std::string& form);

  std::string expand(const std::string& form);
  /// Any of %p0, %p1, ...
  std::string predicate() { return pick("%p", Registers::predicates); }
  /// A predicate that may be negated. The same condition in %q0, in a way that the compiler cannot see through. For
  /// ptxas a predicate that has decided one branch is known at the next, even where a loop has changed it between
  /// (README.md).
  std::string for_branch(const std::string& condition);
  std::string condition() {
    const std::string sign = random.chance(1, 2) ? "!" : "";  // a line of its own: the order of draws must be fixed
    return sign + predicate();
  }
  std::string one_of(std::initializer_list<const char*> choices);
  std::string word() { return pick("%r", Registers::words); }

  unsigned statement_count() const { return statement_count_; }
  const std::string& text() const { return text_; }

 private:
  std::string pick(const char* prefix, unsigned count) { return prefix + std::to_string(random.below(count)); }
  std::string operand(char kind);
  std::string with_hidden_operand(std::string instruction);
  void write_statement(const std::string& instructions, const std::string& guard);

  std::string text_;
  unsigned next_label_ = 0, statement_count_ = 0, statement_limit_;
};

std::string hexadecimal(const char* prefix, std::uint64_t value, unsigned digits);

}  // namespace random_kernels
