// SPDX-License-Identifier: MIT
// Which loops ptxas unrolls. PTX shows a loop as the compiler before it left it, mostly four turns at a time. ptxas
// makes four turns one where it can count them, so that loads of four times as many turns are under way.
#pragma once

#include <cstdint>
#include <vector>

#include "timing/operations.h"

namespace cudasim {

/// So many turns become one.
constexpr unsigned kUnrolledTurns = 4;

/// By program counter: whether it is the branch at the end of such a loop. The rule is what ptxas 13 makes of loops of
/// one to 160 instructions for sm_90: the loop has no other branch, a counter of 32 bits to which each turn adds a
/// constant, a comparison of it with a number that does not change, and few instructions.
std::vector<bool> find_unrolled_loops(const Program& program, const Operations& operations);

}  // namespace cudasim
