// SPDX-License-Identifier: MIT
// Where an address lies, in words.
#pragma once

#include <cstdint>
#include <string>

#include "memory/memory.h"
#include "messages/element.h"
#include "state/grid.h"
#include "state/observer.h"

namespace cudasim {

/// Finding::allocation of an address that is near none.
constexpr const char* kNearNothing = "no allocation is near; a host pointer, perhaps, or an index that overflowed";

/// Outside the whole window of shared addresses, hardware reports an illegal instruction (measured on an H200). Within
/// it, hardware reports an illegal address.
constexpr std::uint64_t kSharedWindowBytes = 1u << 24;

/// Sets Finding::allocation, and the part of the advice that depends on it.
void describe_shared(const Grid& grid, Finding& finding, std::uint64_t address);
void describe_global(const Grid& grid, Finding& finding, std::uint64_t address, std::uint32_t bytes);

/// A finding about an access of `lane` of `seen`, with its place in memory.
Finding finding_of(const Grid& grid, const AccessSeen& seen, unsigned lane, FindingKind kind);

/// "the 4096 bytes of allocation 3 (cudaMalloc)", or "the 1024 floats (4096 bytes) of ..." where the access is to
/// floats.
std::string describe(const Allocation& allocation, const Element& element = {});

}  // namespace cudasim
