// SPDX-License-Identifier: MIT
// cp.async: a load and a store at once, through registers that the text does not name.
#include <algorithm>
#include <cstring>

#include "machine/interpreter.h"

namespace cudasim {

/// The first `bytes` bytes of one lane's source into its slots, byte by byte; the rest are zeros.
bool Interpreter::load_part(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, unsigned lane,
                            std::uint32_t bytes) {
  const MemoryAccess& whole = program_.accesses[op.extra];
  std::byte* frame = warp.frames + fragment.frame;
  std::uint32_t words[4] = {};
  Mask undefined = 0;  // one byte that nothing wrote, and all is
  std::uint32_t origin = 0;
  for (std::uint32_t i = 0; i < bytes; ++i) {
    MemoryAccess part = whole;
    part.bytes = 1;
    part.count = 1;
    part.displacement += i;
    part.data[0].slot = op.e;
    if (!access_memory(block, warp, fragment, op, part, 1u << lane)) return false;
    if (warp.values != nullptr && (warp.values->lanes(fragment.frame, op.e) >> lane & 1) != 0) {
      undefined = 1u << lane;
      origin = warp.values->origin(fragment.frame, op.e);
    }
    words[i / 4] |= reinterpret_cast<const std::uint32_t*>(frame + op.e)[lane] << 8 * (i % 4);
  }
  for (unsigned i = 0; i < whole.count; ++i) {
    reinterpret_cast<std::uint32_t*>(frame + whole.data[i].slot)[lane] = words[i];
    if (warp.values != nullptr) warp.values->write(fragment.frame, whole.data[i].slot, 1u << lane, undefined, origin);
  }
  return true;
}

bool Interpreter::async_copy(Block& block, Warp& warp, const Fragment& fragment, const MicroOp& op, Mask mask) {
  Mask whole = mask;
  if (op.a != 0) {  // how many bytes to read
    watch_decision(block, warp, fragment, op, op.a, mask, ValueUse::address);
    const std::uint32_t all = std::uint32_t{4} * program_.accesses[op.extra].count;
    const auto* bytes = reinterpret_cast<const std::uint32_t*>(warp.frames + fragment.frame + op.a);
    for (Mask m = mask; m != 0; m &= m - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(m));
      if (bytes[lane] >= all) continue;
      whole &= ~(1u << lane);
      if (!load_part(block, warp, fragment, op, lane, bytes[lane])) return false;
    }
  }
  return (whole == 0 || access_memory(block, warp, fragment, op, program_.accesses[op.extra], whole)) &&
         access_memory(block, warp, fragment, op, program_.accesses[op.extra + 1], mask);
}

}  // namespace cudasim
