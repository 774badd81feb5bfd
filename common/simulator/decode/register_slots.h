// SPDX-License-Identifier: MIT
// Register allocation: which slot of a frame each register of a function has.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "decode/analysis/liveness.h"
#include "isa/instruction.h"
#include "program/program.h"
#include "ptx/module.h"

namespace cudasim {

/// How a function names its registers.
struct RegisterUses {
  std::vector<std::uint32_t> writes;  ///< by register: how many instructions write it; its first value counts as one
  std::vector<std::size_t> reads;     ///< registers that are read, each as often as it is named
};
RegisterUses register_uses(const ptx::Function& function, const std::vector<Found>& found, const Liveness& liveness);

/// The registers of a kernel whose values may be computed before a block runs (KnownValues). They live from its begin
/// to its end. Each is written once, in all lanes, from parameters and known values.
std::vector<bool> may_be_known(const ptx::Function& kernel, const std::vector<Found>& found, const RegisterUses& uses);

/// Gives each register a slot (linear scan, Poletto and Sarkar 1999). Registers that live one after the other share
/// one, as on a GPU. Unrolled loops have thousands of registers, of which few live at a time. Without sharing, a warp
/// would touch a new one with each instruction. What an instruction reads and what it writes are never in one slot
/// unless they are one register. The argument `keeps_slot` states by register that it shares its slot with no other
/// one.
std::vector<std::uint32_t> place_registers(const ptx::Function& function, const Liveness& liveness,
                                           const std::vector<bool>& keeps_slot,
                                           const std::function<std::uint32_t(FrameConstant::Width)>& new_slot);

}  // namespace cudasim
