// SPDX-License-Identifier: MIT
#include "timing/update_queues.h"

#include <algorithm>
#include <iterator>

namespace cudasim {

void UpdateQueues::add(const AtomicAccess& atomic, const std::uint64_t* address, Mask mask, GlobalAccesses& accesses) {
  using T = ptx::Type;
  const bool is_floating = atomic.type == T::f32 || atomic.type == T::f64 || atomic.type == T::f16 ||
                           atomic.type == T::f16x2 || atomic.type == T::bf16 || atomic.type == T::bf16x2;
  ++request_;
  for (Mask m = mask; m != 0; m &= m - 1) {
    const std::uint64_t at = address[__builtin_ctz(m)];
    Queue& queue = queues_.at(at).of[at >> kSectorBits & (Queues::kCount - 1)];
    if (queue.updates == 0) accesses.update(at);
    const bool is_new = queue.last_request != request_;
    if (is_new) {
      std::fill(std::begin(queue.lanes_at), std::end(queue.lanes_at), std::uint8_t{0});
      queue.most_lanes = 0;
    }
    std::uint8_t& lanes = queue.lanes_at[at / sizeof(std::uint32_t) % std::size(queue.lanes_at)];
    if (++lanes > queue.most_lanes) {
      queue.most_lanes = lanes;
      ++queue.updates;
    }
    if (!is_new) continue;
    queue.last_request = request_;
    accesses.sample_update(at);
    ++queue.requests;
    queue.width = atomic.address.bytes;
    queue.is_reduction = !atomic.returns && has_reduction(atomic.operation);
    queue.is_floating = is_floating;
  }
  accesses.end_updates();
}

void UpdateQueues::add(const UpdateQueues& other) {
  other.queues_.for_each([this](std::uint64_t address, const Queues& part) {
    Queues& sum = queues_.at(address);
    for (std::size_t i = 0; i < Queues::kCount; ++i) {
      if (part.of[i].updates == 0) continue;
      const Queue before = sum.of[i];
      sum.of[i] = part.of[i];
      sum.of[i].updates += before.updates;
      sum.of[i].requests += before.requests;
    }
  });
}

namespace {

/// Neighbours of 256 bytes are in different slices, every other one of a KiB in the same: an H200 adds to two lines 128
/// or 512 bytes apart as slowly as to one, and to lines 256 bytes or a KiB apart twice as fast. Farther apart, slices
/// are as if drawn.
constexpr std::size_t kSectorsOfAKiB = 32;
constexpr bool is_in_second_slice(std::size_t sector) { return (sector / 8 & 1) != 0; }

}  // namespace

UpdateQueues::Queue UpdateQueues::longest() const {
  Queue longest;
  std::uint64_t place = 0;  // of several that are as long, the first in memory
  queues_.for_each([&](std::uint64_t address, const Queues& part) {
    for (std::size_t first = 0; first < Queues::kCount; first += kSectorsOfAKiB) {
      Queue slices[2];
      for (std::size_t i = first; i < first + kSectorsOfAKiB; ++i) {
        const Queue& queue = part.of[i];
        if (queue.updates == 0) continue;
        Queue& slice = slices[is_in_second_slice(i) ? 1 : 0];
        const std::uint32_t before = slice.updates;
        if (before == 0) slice = queue;
        slice.updates = before + queue.updates;
      }
      for (const Queue& slice : slices) {
        const std::uint64_t its_place = address + (first << kSectorBits);
        if (slice.updates < longest.updates || (slice.updates == longest.updates && its_place >= place)) continue;
        longest = slice;
        place = its_place;
      }
    }
  });
  return longest;
}

}  // namespace cudasim
