// SPDX-License-Identifier: MIT
// The selectors of video instructions, as in `vadd.u32.u32.u32 %r1.b0, %r2.h1, %r3.b3, %r4` (PTX ISA, "Video
// Instructions"). They become one number, the last operand of the instruction.
#pragma once

#include <string_view>

#include "ptx/module.h"

namespace cudasim::ptx {

/// A register and what follows its name: {"%r2", "h1"}. Without a selector: {name, ""}.
struct SelectedName {
  std::string_view name, selector;
};
SelectedName split_selector(std::string_view text);

/// Whether the opcode is that of a video instruction.
bool is_video(std::string_view opcode);

/// `selectors` are those of the operands, in their order, "" where there is none. Appends the number, and the third
/// source where the text has none. False where the manual does not allow these selectors, or where ptxas makes code
/// that does something else than the manual says: the upper half of a destination, or a clamped part of one.
///
/// Scalar instructions: 3 bits for each of b, a and d, from the lowest: 0 the whole word, 1 to 4 .b0 to .b3, 5 and 6
/// .h0 and .h1. SIMD instructions: for each part from the lowest one 3 bits for a, from bit 12 on 3 bits for b, from
/// bit 24 on a bit that says whether d takes the part. The number differs from the one without selectors in these bits,
/// so 0 stands for none.
bool add_selectors(Instruction& instruction, const std::vector<std::string_view>& selectors);

}  // namespace cudasim::ptx
