// SPDX-License-Identifier: MIT
// Between the machine and the race checker: what happens is written down as events, in the order in which it happens,
// and the checker reads them in a thread of its own. It hears the same whether it has one or not, so it finds the same.
// An event holds all that a finding needs of the machine at that moment; nothing else of it may be looked at but what
// does not change during a launch (the program, the launch) and the table of allocations, before whose change the
// machine waits (drain).
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "machine/finding.h"
#include "observers/event_queue.h"
#include "observers/races.h"

namespace cudasim {

struct Grid;

/// One event. Behind it, where it has them: where the lanes lie. Those of one instruction mostly lie the same way as
/// the last time, and only `first` is new.
struct RaceEvent {
  enum class Kind : std::uint8_t { access, begin_block, arrive, open_barrier, sync_warp, fence, finding };
  enum class Lanes : std::uint8_t {
    neighbours,  ///< lane i touches the 4 bytes at `first` + 4 * i
    as_before,   ///< as the last time at this instruction, from `first` on
    offsets,     ///< from `first` on; 4 bytes a lane follow, and the span's end in 8
    addresses,   ///< 8 bytes a lane follow
  };
  Kind kind = Kind::access;
  AccessKind access;
  Ordering ordering{};
  Lanes where = Lanes::neighbours;
  bool is_shared = false;
  bool all = false;               ///< of a barrier: all that still run; of a fence: for the whole grid
  std::uint8_t warp = 0;          ///< fewer than 32, as in a block
  std::uint8_t bytes = 0;         ///< of an access of a lane; of a barrier: its number
  std::uint32_t instruction = 0;  ///< MicroOp::counter; of __syncwarp: the lanes that still run
  Mask lanes = 0;                 ///< of a barrier: the warps
  std::uint32_t slot = 0;         ///< of the block among those under way
  /// Of a plain store: how far from the event its values are. What it leaves in each lane's place, `bytes` each; what
  /// was there before, likewise; the lanes (a Mask) whose place exists. 0: none.
  std::uint32_t values = 0;
  std::uint64_t first = 0;  ///< of begin_block: its linear index
};
static_assert(sizeof(RaceEvent) == 32, "half a cache line: millions a second travel from core to core");

class RaceWatch {
 public:
  RaceWatch(Grid& grid, RaceChecker& checker, bool own_thread);

  void begin_block(std::uint32_t slot, std::uint64_t linear);
  void arrive(std::uint32_t slot, std::uint32_t warp, std::uint32_t barrier);
  void open_barrier(std::uint32_t slot, std::uint32_t barrier, std::uint32_t warps, bool all);
  void sync_warp(std::uint32_t slot, std::uint32_t warp, Mask mask, Mask live);
  void fence(std::uint32_t slot, std::uint32_t warp, bool whole_grid);
  /// The machine is about to find something itself.
  void finding();
  /// Whether all lanes lie as they did the last time at this instruction, told by their registers: `displacement` is
  /// added to them modulo 2^32. If so, fills `span` (of its `bits` those below `bytes`, of which each has so many): to
  /// compare is quicker than to find out.
  bool lie_as_before(std::uint32_t instruction, const std::uint32_t* base, std::uint32_t displacement,
                     std::uint32_t bytes, Span& span) {
    const Place& place = told_[instruction % told_.size()];
    if (place.instruction != instruction || place.lanes != ~0u) return false;
    const std::uint32_t begin = base[0] - place.offset[0] + displacement;
    if (place.extent > ~begin || (begin - place.least) % bytes != 0) return false;
    if (!kernels_.same_distances(base, place.offset)) return false;
    span.least = begin;
    span.most = begin + place.extent;
    span.bits = place.bits;
    std::memcpy(span.offset, place.offset, sizeof span.offset);
    return true;
  }
  /// The machine writes an access where it is to stay: first the event at `front`, then, if it has any, its values at
  /// the back.
  EventQueue::Room reserve() { return queue_.reserve(largest_event_bytes); }
  /// `span`, `addresses`: where the lanes lie, unless they are neighbours.
  /// `as_before`: what lie_as_before() has just said.
  void put(EventQueue::Room room, RaceEvent& event, const Span* span, const std::uint64_t* addresses,
           bool as_before = false) {
    room.front = reinterpret_cast<std::byte*>(&event + 1);
    if (addresses != nullptr) {
      event.where = RaceEvent::Lanes::addresses;
      append(room, addresses, warp_size * sizeof *addresses);
    } else if (span != nullptr) {
      event.where = RaceEvent::Lanes::as_before;
      if (!as_before) put_offsets(room, event, *span);
    }
    queue_.commit(room);
  }
  /// Before allocations change.
  void drain() { queue_.drain(); }
  /// After the last event: puts what was found among Grid::findings.
  void finish();

 private:
  static constexpr std::size_t most_bytes_of_lane = 64;
  static constexpr std::size_t largest_event_bytes =
      sizeof(RaceEvent) + warp_size * (sizeof(std::uint64_t) + 2 * most_bytes_of_lane) + sizeof(Mask) + 64;
  struct Found {
    std::size_t before = 0;  ///< findings of the machine that came earlier
    std::uint64_t block = 0;
    Finding finding;
  };
  struct Seen {
    const RaceEvent& event;
    std::uint64_t block;
    const RaceChecker::Access& access;
  };
  static void append(EventQueue::Room& room, const void* from, std::size_t bytes) {
    std::memcpy(room.front, from, bytes);
    room.front += bytes;
  }
  void put_offsets(EventQueue::Room& room, RaceEvent& event, const Span& span);
  void put(const RaceEvent& event);
  void listen(const std::byte* begin, const std::byte* end);
  const std::byte* listen_to(const RaceEvent& event);
  const std::byte* look_at(const RaceEvent& event);
  struct Values {
    const std::byte *before = nullptr, *after = nullptr;
  };
  static Values values_of(const RaceEvent& event, const Conflict& conflict);
  void report(const Seen& seen, const Conflict& conflict);
  std::size_t add(Found now);

  Grid& grid_;
  /// Where the lanes of an instruction lay the last time: as told, and as heard.
  struct Place {
    std::uint32_t instruction = 0;
    Mask lanes = 0;
    std::uint32_t offset[warp_size];
    std::uint64_t least = 0, extent = 0, bits = 0;
  };
  std::array<Place, 64> told_{};
  RaceChecker& checker_;
  const LaneKernels& kernels_;
  std::array<Span, 64> heard_{};
  std::size_t findings_ = 0;                        // of the machine so far
  std::vector<std::unique_ptr<RaceBlock>> blocks_;  // by slot
  std::vector<Found> found_;
  std::unordered_map<std::uint64_t, std::size_t> by_pair_;  // of instructions: index into found_
  EventQueue queue_;                                        // the last one: it listens until it is gone
};

}  // namespace cudasim
