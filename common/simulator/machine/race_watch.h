// SPDX-License-Identifier: MIT
// Between the machine and the race checker: what happens is written down as events, in the order in which it happens,
// and the checker reads them in a thread of its own. It hears the same whether it has one or not, so it finds the same.
// An event holds all that a finding needs of the machine at that moment; nothing else of it may be looked at but what
// does not change during a launch (the program, the launch) and the table of allocations, before whose change the
// machine waits (drain).
#pragma once

#include <cstdint>
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

/// The head of an event. Behind it, where it has them: the lanes' addresses (8 bytes each), what a plain store leaves
/// in each lane's place (`bytes` each), and what was there before.
struct RaceEvent {
  enum class Kind : std::uint8_t { access, begin_block, arrive, open_barrier, sync_warp, fence };
  Kind kind = Kind::access;
  AccessKind access;
  Ordering ordering{};
  bool is_shared = false;
  bool has_addresses = false;  ///< otherwise lane i touches the 4 bytes at `first` + 4 * i
  bool has_values = false;
  bool all = false;              ///< of a barrier: all that still run; of a fence: for the whole grid
  std::uint32_t bytes = 0;       ///< of an access of a lane
  std::uint32_t size_bytes = 0;  ///< of the event
  std::uint32_t slot = 0;        ///< of the block among those under way
  std::uint32_t warp = 0;
  std::uint32_t instruction = 0;  ///< MicroOp::counter
  std::uint32_t barrier = 0;
  Mask lanes = 0;              ///< of a barrier: warps
  Mask live = 0;               ///< of __syncwarp
  Mask known = 0;              ///< of the values: lanes whose place exists
  std::uint32_t findings = 0;  ///< what the machine had found itself by then
  std::uint64_t first = 0;     ///< of begin_block: its linear index
};

class RaceWatch {
 public:
  RaceWatch(Grid& grid, RaceChecker& checker, bool own_thread);

  void begin_block(std::uint32_t slot, std::uint64_t linear);
  void arrive(std::uint32_t slot, std::uint32_t warp, std::uint32_t barrier);
  void open_barrier(std::uint32_t slot, std::uint32_t barrier, std::uint32_t warps, bool all);
  void sync_warp(std::uint32_t slot, std::uint32_t warp, Mask mask, Mask live);
  void fence(std::uint32_t slot, std::uint32_t warp, bool whole_grid);
  /// An access is written by the machine itself, as its parts lie all over it.
  std::byte* reserve() { return queue_.reserve(largest_event_bytes); }
  void commit(RaceEvent& event, std::byte* end) {
    event.size_bytes = static_cast<std::uint32_t>(end - reinterpret_cast<std::byte*>(&event));
    queue_.commit(end);
  }
  /// Before allocations change.
  void drain() { queue_.drain(); }
  /// After the last event: puts what was found among Grid::findings.
  void finish();

 private:
  static constexpr std::size_t most_bytes_of_lane = 64;
  static constexpr std::size_t largest_event_bytes =
      sizeof(RaceEvent) + warp_size * (sizeof(std::uint64_t) + 2 * most_bytes_of_lane);
  struct Found {
    std::uint32_t before = 0;  ///< findings of the machine that came earlier
    std::uint64_t block = 0;
    Finding finding;
  };
  /// One access, as the listener sees it.
  struct Seen {
    const RaceEvent& event;
    RaceChecker::Access access;
    std::uint64_t block;
    const std::byte *after = nullptr, *before = nullptr;
  };
  void put(const RaceEvent& event);
  void listen(const std::byte* begin, const std::byte* end);
  void listen_to(const RaceEvent& event);
  void look_at(const RaceEvent& event);
  struct Values {
    const std::byte *before = nullptr, *after = nullptr;
  };
  static Values values_of(const Seen& seen, const Conflict& conflict);
  void report(const Seen& seen, const Conflict& conflict);
  std::size_t add(Found now);

  Grid& grid_;
  RaceChecker& checker_;
  const LaneKernels& kernels_;
  std::vector<std::unique_ptr<RaceBlock>> blocks_;  // by slot
  std::vector<Found> found_;
  std::unordered_map<std::uint64_t, std::size_t> by_pair_;  // of instructions: index into found_
  EventQueue queue_;                                        // the last one: it listens until it is gone
};

}  // namespace cudasim
