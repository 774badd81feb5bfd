// SPDX-License-Identifier: MIT
// Constant expressions (PTX ISA, section 4.6): integers of 64 bits with C's operators, and floating-point literals.
#pragma once

#include <cstdint>

#include "ptx/cursor.h"

namespace cudasim::ptx {

/// Parses one expression: unary - + ~ !, binary * / % + - << >> & ^ |, parentheses, the casts (.s64) and (.u64),
/// WARP_SZ. Floating-point literals take a sign and nothing else. Throws SyntaxError, also on division by zero. A shift
/// by 64 or more gives what shifting bit by bit would give.
Number parse_constant(Cursor& cursor);

/// The same, where a floating-point number is refused.
std::uint64_t parse_integer_constant(Cursor& cursor);

/// `+4`, `-8+2`, `+-4` behind a name or register: the displacement in bytes; 0 when neither sign stands there.
std::int64_t parse_displacement(Cursor& cursor);

/// True when a constant expression begins at the cursor (`!` counts only before a number or parenthesis).
bool at_constant(const Cursor& cursor);

}  // namespace cudasim::ptx
