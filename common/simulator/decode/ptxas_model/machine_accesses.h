// SPDX-License-Identifier: MIT
// What ptxas makes of a function's accesses to shared memory, as far as counters show it. Neighbours become one access,
// and branches become predicates. It changes counts and never results. The rules come from the machine code of many
// kernels for sm_90. The programs of tests/gpu/counters/ordinary compare the counts with a GPU (common/README.md, "What
// ptxas makes of it").
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

  /// For a branch that becomes a predicate: the accesses (instructions) that are issued though no lane takes part. One
  /// list is for a branch by which all lanes jump, the other for one by which none does.
  struct Skipped {
    std::vector<std::uint32_t> when_all_jump, when_none_jumps;
  };
  std::map<std::uint32_t, Skipped> skipped;  ///< by branch instruction
};

MachineAccesses machine_accesses(const ptx::Function& function, const ControlFlow& flow,
                                 const std::vector<Found>& found, const SharedOffsets& shared);

}  // namespace cudasim
