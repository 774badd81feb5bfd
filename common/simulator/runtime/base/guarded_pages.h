// SPDX-License-Identifier: MIT
// Pages of managed and pinned memory that the host may not touch (mprotect) while the program's own code runs. The
// first access to such a page comes to the handler of SIGSEGV. It compares the address with the bytes that work uses,
// notes a conflict, and opens the page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/finding.h"
#include "memory/host_touches.h"

namespace cudasim {

/// Bytes that work uses. The pages hold nothing but this allocation.
struct UsedBytes {
  HostTouches::Stretch bytes;
  std::size_t work = 0;  ///< the caller's number for it
};

/// An access of the host that conflicts with work.
struct HostAccess {
  std::uint64_t address = 0;
  bool is_write = false;
  UsedBytes used;
  CallStack callers{};
};

/// Only between open_pages() and guard_pages().
void use_bytes(std::vector<UsedBytes> used);
/// From now on accesses come to the handler.
void guard_pages();
/// From now on they do not. Returns the conflicts since guard_pages().
std::vector<HostAccess> open_pages();

/// For the handler of SIGSEGV. True: the address was guarded, and can be touched now.
bool open_for_host(const void* address, bool is_write);

}  // namespace cudasim
