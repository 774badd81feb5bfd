// SPDX-License-Identifier: MIT
// The registers behind those of a warp, through which an asynchronous copy moves its data.
#pragma once

#include <cstdint>

namespace cudasim {

/// The slots through which a copy's data pass, in a place of its own behind the warp's registers. They are four slots
/// of a word a lane, and the 1 that arrives at an mbarrier. They begin behind the sink, as in every frame: what the
/// sink holds counts as defined.
constexpr std::uint32_t copied_word(std::uint32_t i) { return 256 + 128 * i; }
constexpr std::uint32_t kArrivingSlot = copied_word(4);
constexpr std::uint32_t kCopyFrameBytes = kArrivingSlot + 256;

}  // namespace cudasim
