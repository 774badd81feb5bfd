// SPDX-License-Identifier: MIT
// A jump in place of the first instructions of a function.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace cudasim {

#if defined(__x86_64__)
// jmp *0(%rip), and then the address to which it goes
constexpr std::array<std::uint8_t, 6> kJump = {0xFF, 0x25, 0, 0, 0, 0};
#elif defined(__aarch64__)
// ldr x16, . + 8; br x16. Compilers leave x16 to code between a call and its function.
constexpr std::array<std::uint8_t, 8> kJump = {0x50, 0, 0, 0x58, 0, 0x02, 0x1F, 0xD6};
#else
#error "CUDA has no host of this kind"
#endif
constexpr std::size_t kJumpBytes = kJump.size() + sizeof(std::uint64_t);

/// The kJumpBytes at `place` can be written, and no thread executes them.
inline void write_jump(std::uint8_t* place, void* target) {
  std::memcpy(place, kJump.data(), kJump.size());
  std::memcpy(place + kJump.size(), &target, sizeof target);
  __builtin___clear_cache(reinterpret_cast<char*>(place), reinterpret_cast<char*>(place) + kJumpBytes);
}

}  // namespace cudasim
