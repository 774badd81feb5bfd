// SPDX-License-Identifier: MIT
#include "writer.h"

#include <cstdio>
#include <stdexcept>

namespace random_kernels {
namespace {

constexpr std::uint32_t edge_words[] = {0,          1,          2,          31,         32,    0x7fffffff,
                                        0x80000000, 0xffffffff, 0xffff8000, 0x00010000, 65535, 0x55555555};
constexpr std::uint32_t edge_floats[] = {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0x3f000000,
                                         0x00000001, 0x00800000, 0x4f000000, 0x40490fdb, 0x7f7fffff, 0xc2f6e979};
constexpr std::uint64_t edge_wide_floats[] = {
    0, 0x8000000000000000, 0x3ff0000000000000, 0xbfe0000000000000, 0x7ff0000000000000,
    1, 0x0010000000000000, 0x41e0000000000000, 0x400921fb54442d18, 0x7fefffffffffffff};

template <class T, std::size_t n>
T any(Random& random, const T (&values)[n]) {
  return values[random.below(static_cast<unsigned>(n))];
}

}  // namespace

std::uint64_t Random::next() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

std::string hexadecimal(const char* prefix, std::uint64_t value, unsigned digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%s%0*llx", prefix, static_cast<int>(digits),
                static_cast<unsigned long long>(value));
  return text;
}

std::string Writer::one_of(std::initializer_list<const char*> choices) {
  return choices.begin()[random.below(static_cast<unsigned>(choices.size()))];
}

/// Capitals are destinations, small letters sources; r d h f g may be immediates, v w k e y are always registers.
std::string Writer::operand(char kind) {
  const bool immediate = random.chance(1, 6);
  switch (kind) {
    case 'r':
      if (immediate) return hexadecimal("0x", random.chance(1, 2) ? any(random, edge_words) : random.next() >> 32, 8);
      [[fallthrough]];
    case 'R':
    case 'v':
      return word();
    case 'c':  // a count: beyond the width too
      return immediate ? std::to_string(random.below(70)) : word();
    case 'd':
      if (immediate) {
        const unsigned shift = random.below(60);
        return hexadecimal("0x", random.next() >> shift, 16);
      }
      [[fallthrough]];
    case 'D':
    case 'w':
      return pick("%d", Registers::doubles);
    case 'h':
      if (immediate) return std::to_string(random.below(32768));
      [[fallthrough]];
    case 'H':
    case 'k':
      return pick("%h", Registers::halves);
    case 'f':
      if (immediate) return hexadecimal("0f", any(random, edge_floats), 8);
      [[fallthrough]];
    case 'F':
    case 'e':
      return pick("%f", Registers::floats);
    case 'g':
      if (immediate) return hexadecimal("0d", any(random, edge_wide_floats), 16);
      [[fallthrough]];
    case 'G':
    case 'y':
      return pick("%g", Registers::wide_floats);
    case 'P':
    case 'p':
      return predicate();
    case 'n':  // a predicate that may be negated
      return condition();
    case 'i':  // a number below 32
      return std::to_string(random.below(32));
    case 'L':  // a truth table of lop3
      return hexadecimal("0x", random.below(256), 2);
    default:
      throw std::logic_error(std::string("no operand kind '") + kind + "'");
  }
}

std::string Writer::expand(const std::string& form) {
  std::string result;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] == '$') {
      result += operand(form[++i]);
    } else if (form[i] == '<') {
      const std::size_t end = form.find('>', i);
      std::vector<std::string> choices(1);
      for (++i; i < end; ++i) {
        if (form[i] == '|') {
          choices.emplace_back();
        } else {
          choices.back() += form[i];
        }
      }
      result += expand(choices[random.below(static_cast<unsigned>(choices.size()))]);
    } else {
      result += form[i];
    }
  }
  return result;
}

std::string Writer::for_branch(const std::string& condition) {
  const bool negated = condition[0] == '!';
  line("selp.u32 %t0, " + std::string(negated ? "0, 1, " : "1, 0, ") + condition.substr(negated ? 1 : 0) + ";");
  line("mov.u32 %t1, %ntid.x;");
  line("mul.lo.u32 %t0, %t0, %t1;");
  line("setp.ne.u32 %q0, %t0, 0;");
  return "%q0";
}

/// The operand behind "^", changed in a way that the compiler cannot see through: it is combined with the lane's
/// number. What ptxas makes of the operation that gave the operand and this one together would be wrong (README.md).
std::string Writer::with_hidden_operand(std::string instruction) {
  const std::size_t begin = instruction.find('^');
  if (begin == std::string::npos) return instruction;
  const std::size_t length = instruction.find_first_of(",;", begin) - begin;
  const std::string operand = instruction.substr(begin + 1, length - 1);
  const bool wide = operand.compare(0, 2, "%d") == 0;
  if (wide) line("cvt.u64.u32 %u0, %lane;");
  line(wide ? "xor.b64 %u0, %u0, " + operand + ";" : "xor.b32 %t0, %lane, " + operand + ";");
  return instruction.replace(begin, length, wide ? "%u0" : "%t0");
}

void Writer::write_statement(const std::string& instructions, const std::string& guard) {
  if (statement_count_++ >= statement_limit_) return;
  std::size_t begin = 0;
  for (std::size_t end = instructions.find("; "); end != std::string::npos; end = instructions.find("; ", begin)) {
    line(with_hidden_operand(instructions.substr(begin, end + 1 - begin)));
    begin = end + 2;
  }
  line(guard + with_hidden_operand(instructions.substr(begin) + ";") + "  // " + std::to_string(statement_count_));
}

void Writer::statement(const std::string& form) {
  const std::string instructions = expand(form);
  const bool guarded = random.chance(1, 6) && instructions.compare(0, 5, "testp") != 0;
  write_statement(instructions, guarded ? "@" + condition() + " " : "");
}

void Writer::statement_of_all(const std::string& form) { write_statement(expand(form), ""); }

}  // namespace random_kernels
