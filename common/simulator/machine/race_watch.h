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
#include "machine/located.h"
#include "observers/event_queue.h"
#include "observers/races.h"

namespace cudasim {

struct Grid;

/// One event. Behind it, where it has them: where the lanes lie. Those of one instruction mostly lie the same way as
/// the last time, and only `first` is new.
struct RaceEvent {
  enum class Kind : std::uint8_t { access, begin_block, arrive, open_barrier, sync_warp, fence, finding };
  enum class Lanes : std::uint8_t {
    neighbours,  ///< lane i touches the i-th element from `first` on
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
  /// The machine writes an access where it is to stay: first the event at `front`, then, if it has any, its values at
  /// the back.
  EventQueue::Room reserve() { return queue_.reserve(largest_event_bytes); }
  void put(EventQueue::Room room, RaceEvent& event, const Located& at) {
    room.front = reinterpret_cast<std::byte*>(&event + 1);
    event.first = at.how == Located::How::neighbours ? at.first : at.span.least;
    if (at.how == Located::How::neighbours) {
      event.where = RaceEvent::Lanes::neighbours;
    } else if (!at.near()) {
      event.where = RaceEvent::Lanes::addresses;
      append(room, at.address, warp_size * sizeof *at.address);
    } else {
      event.where = RaceEvent::Lanes::as_before;
      if (!at.site->told) put_offsets(room, event, at);
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
  static void put_offsets(EventQueue::Room& room, RaceEvent& event, const Located& at);
  void put(const RaceEvent& event);
  void listen(const std::byte* begin, const std::byte* end);
  const std::byte* listen_to(const RaceEvent& event);
  const std::byte* look_at(const RaceEvent& event);
  struct Values {
    const std::byte *before = nullptr, *after = nullptr;
  };
  static Values values_of(const RaceEvent& event, const Conflict& conflict);
  bool guesses(std::uint32_t one, const AccessKind& kind, const AccessKind& other);
  void report(const Seen& seen, const Conflict& conflict);
  std::size_t add(Found now);

  Grid& grid_;
  RaceChecker& checker_;
  std::vector<Span> heard_;                         // where the lanes of an access lay the last time
  Span neighbours_;                                 // of elements wider than 4 bytes
  std::size_t findings_ = 0;                        // of the machine so far
  std::vector<std::unique_ptr<RaceBlock>> blocks_;  // by slot
  std::vector<Found> found_;
  std::unordered_map<std::uint32_t, bool> guesses_;         // loads: see only_guesses()
  std::unordered_map<std::uint64_t, std::size_t> by_pair_;  // of instructions: index into found_
  EventQueue queue_;                                        // the last one: it listens until it is gone
};

}  // namespace cudasim
