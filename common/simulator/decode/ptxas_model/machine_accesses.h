// SPDX-License-Identifier: MIT
// What ptxas makes of a function's accesses to shared memory, as far as counters show it: neighbours that become one
// access, and branches that become predicates. It changes counts and never results. The rules were found by reading the
// machine code of many kernels for sm_90, and tests/gpu/counters/ordinary compares what comes of them with a GPU
// (common/README.md, "What ptxas makes of it").
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "decode/analysis/address_forms.h"
#include "decode/analysis/control_flow.h"
#include "program/program.h"

namespace cudasim {

struct MachineAccesses {
  std::map<std::uint32_t, MemoryAccess::Joined> joined;  ///< by instruction

  /// Of a branch that becomes a predicate: the accesses (instructions) that are issued though no lane takes part, when
  /// all lanes jump, and when none does.
  struct Skipped {
    std::vector<std::uint32_t> when_all_jump, when_none_jumps;
  };
  std::map<std::uint32_t, Skipped> skipped;  ///< by branch instruction
};

MachineAccesses machine_accesses(const ptx::Function& function, const ControlFlow& flow,
                                 const std::vector<Found>& found, const SharedOffsets& shared);

}  // namespace cudasim
