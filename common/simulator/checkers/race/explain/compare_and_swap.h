// SPDX-License-Identifier: MIT
// The read that opens a loop of compare-and-swap.
#pragma once

#include <cstdint>

namespace cudasim {

struct Program;

/// Whether a plain load only guesses what a compare-and-swap on the same place will find. The CUDA C++ Programming
/// Guide has this form ("Atomic Functions").
///
///   old = *address;
///   do { assumed = old; old = atomicCAS(address, assumed, f(assumed)); } while (assumed != old);
///
/// If the guess is wrong, nothing is swapped. So the value may reach the operands of that instruction, also through
/// others between registers. It may also decide whether the swap has happened. It may reach nothing else.
bool only_guesses(const Program& program, std::uint32_t instruction);

}  // namespace cudasim
