// SPDX-License-Identifier: MIT
// The approximate instructions, the operands they are tried on, and the distance of two results.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace approximate {

/// A floating-point format by its fields.
struct Format {
  const char* name;  // as PTX calls it
  unsigned bits, fraction_bits;
};

struct Instruction {
  const char* opcode;
  Format format;
  unsigned operands;
  double largest;  // operands beyond this count for nothing: the manual promises nothing there
  const char* target;
};

const std::vector<Instruction>& instructions();

/// The `index`-th of `operand_count` operands: all of a 16-bit format, else of each sign and exponent equally many.
std::size_t operand_count(const Format& format);
std::uint64_t operand(const Instruction& instruction, unsigned which, std::size_t index);

double number(const Format& format, std::uint64_t bits);
bool is_nan(const Format& format, std::uint64_t bits);

struct Distance {
  std::uint64_t ulps = 0;  // representable numbers between the two
  double absolute = 0;
  bool unlike = false;  // only one of them is NaN, or infinite
};
Distance distance(const Format& format, std::uint64_t a, std::uint64_t b);

}  // namespace approximate
