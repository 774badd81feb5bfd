// SPDX-License-Identifier: MIT
// The message for a crash in the host's part of a program. The usual mistake of a beginner is a read of a device
// pointer on the host.
#pragma once

#include <cstdint>
#include <string>

namespace cudasim {

/// What is known about the address that an instruction could not use.
struct BadAddress {
  enum class Kind : std::uint8_t {
    null,     ///< or an index from a null pointer.
    device,   ///< A pointer to device memory.
    perhaps,  ///< One of several addresses, and one of them is device memory.
    other,
  } kind = Kind::other;
  std::uint64_t address = 0;
};

/// From now on a crash (SIGSEGV, SIGFPE) is reported with its line, before the program ends as usual. Excepted are
/// signals for which the program, or a sanitizer, has a handler of its own.
void watch_for_crashes();
/// Whether SIGSEGV still comes here.
bool handles_crashes();

}  // namespace cudasim
