// SPDX-License-Identifier: MIT
// Atomics of global memory wait for each other where one slice of the L2 carries them out. This counts how many come to
// the sectors of each.
#pragma once

#include <cstdint>

#include "program/program.h"
#include "timing/global_accesses.h"
#include "timing/parts_by_address.h"

namespace cudasim {

class UpdateQueues {
 public:
  /// Those that come to one sector.
  struct Queue {
    std::uint32_t updates = 0;   ///< of each request, those of the word that most lanes update: words go side by side
    std::uint32_t requests = 0;  ///< one for each warp instruction
    std::uint32_t last_request = 0;
    std::uint8_t lanes_at[8] = {};  ///< of the last request, by word
    std::uint8_t most_lanes = 0;    ///< the largest of them
    std::uint8_t width = 0;         ///< bytes of the last update
    bool is_reduction = false, is_floating = false;
  };

  /// A warp's atomic, by lane. Sectors that it touches first are noted in `accesses`, too.
  void add(const AtomicAccess& atomic, const std::uint64_t* address, Mask mask, GlobalAccesses& accesses);
  void add(const UpdateQueues& other);
  /// That of the slice with most updates: those of its sectors in one KiB, with the data of the first of them.
  Queue longest() const;

 private:
  static constexpr unsigned kGranuleBits = 14, kSectorBits = 5;
  struct Queues {
    static constexpr std::size_t kCount = std::size_t{1} << (kGranuleBits - kSectorBits);
    Queue of[kCount];
  };
  PartsByAddress<Queues, kGranuleBits> queues_;
  std::uint32_t request_ = 0;
};

}  // namespace cudasim
