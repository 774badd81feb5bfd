// SPDX-License-Identifier: MIT
// The read that opens a loop of compare-and-swap.
#pragma once

#include <cstdint>

namespace cudasim {

struct Program;

/// Whether a plain load only guesses what a compare-and-swap on the same place will find, as in the CUDA C++
/// Programming Guide ("Atomic Functions"): `old = *address; do { assumed = old; old = atomicCAS(address, assumed,
/// f(assumed)); } while (assumed != old)`. If it guesses wrong, nothing is swapped. So its value may go into the
/// operands of that instruction, also through others between registers, and into the question whether it has swapped;
/// nowhere else.
bool only_guesses(const Program& program, std::uint32_t instruction);

}  // namespace cudasim
