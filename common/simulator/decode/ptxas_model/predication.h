// SPDX-License-Identifier: MIT
// Which branches ptxas makes predicates (the literature: if-conversion). All warps issue the instruction of a
// predicated access, even without an active lane. Nsight Compute counts it as a request of shared memory.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "decode/analysis/control_flow.h"

namespace cudasim {

/// A branch at the end of `block` to two ways that meet again, each of straight code. One of them may be empty.
struct Fork {
  std::uint32_t block = 0, meeting = 0;
  bool is_closed = false;                 ///< no other way leads to where they meet
  std::vector<std::uint32_t> jump, fall;  ///< blocks, when the branch is taken and when it is not
};
std::optional<Fork> find_fork(const ControlFlow& flow, std::uint32_t block);

/// `waits`: the kernel begins, or something is loaded before the branch that has to be waited for anyway. Otherwise a
/// way that loads from global memory and stores the loaded value stays behind the branch.
bool becomes_predicate(const ptx::Function& function, const ControlFlow& flow, const std::vector<Found>& found,
                       const Fork& fork, bool waits);

bool is_load_or_store(const Found& found);
bool is_shared(const Found& found);
bool is_generic(const Found& found);

}  // namespace cudasim
