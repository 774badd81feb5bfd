// SPDX-License-Identifier: MIT
// What is said when the host's part of a program crashes: beginners mostly have read a device pointer on the host.
#pragma once

#include <cstdint>
#include <string>

namespace cudasim {

/// What is known of the address that an instruction could not use.
struct BadAddress {
  enum class Kind : std::uint8_t {
    null,     ///< or an index from a null pointer
    device,   ///< a pointer to device memory
    perhaps,  ///< one of several addresses, of which one is device memory
    other,
  } kind = Kind::other;
  std::uint64_t address = 0;
};

/// From now on a crash (SIGSEGV, SIGFPE) is told, with its line, before the program ends as it would have. Does nothing
/// about a signal for which the program, or a sanitizer, has a handler of its own.
void watch_for_crashes();

}  // namespace cudasim
