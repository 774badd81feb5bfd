// SPDX-License-Identifier: MIT
// What a sampled block does: the lines of global memory that its warps touch, and, in the few blocks that the
// scoreboard looks at, which instructions each warp carries out.
#pragma once

#include <cstdint>
#include <vector>

#include "timing/caches/sector_cache.h"

namespace cudasim {

/// How an access goes through the caches.
enum class Traffic : std::uint8_t {
  load,
  load_past_l1,  ///< volatile, ordered, or by an operator (.cg)
  store,
  update,  ///< an atomic: the L2 carries it out
};

/// What the L1 makes of a line that is read.
enum class L1Answer : std::uint8_t {
  unknown,
  hit,
  late,     ///< another warp has asked for it just before, and it is on its way
  fetched,  ///< from the L2
};

/// One line of one request of a warp. 16 bytes, as there are many.
struct LineAccess {
  static constexpr std::uint64_t kLineBits = (1ull << 48) - 1;
  std::uint64_t line : 48;
  std::uint64_t sectors : 8;
  std::uint64_t traffic : 4;
  std::uint64_t answer : 4;   ///< L1Answer, once the L1 has been replayed
  std::uint32_t step;         ///< how many requests of global memory the warp made before
  std::uint32_t instruction;  ///< MicroOp::counter
};
static_assert(sizeof(LineAccess) == 16);

/// Instructions [begin, end) of Program::code that a warp carried out in a row.
struct TracedRun {
  std::uint32_t begin, end;
  std::uint32_t frame;  ///< byte offset of its registers
};

/// An access to memory in a run.
struct TracedRequest {
  enum class Place : std::uint8_t { global, shared, near };  ///< near: local memory, which the L1 holds
  std::uint32_t run, pc;
  std::uint32_t first_line = 0;  ///< in BlockTrace::lines
  std::uint16_t lines = 0;
  std::uint16_t passes = 0;  ///< over the banks of shared memory
  Place place = Place::global;
};

/// A barrier at which a warp has waited, behind so many of its runs.
struct TracedBarrier {
  std::uint32_t runs;
  std::uint32_t number;  ///< in BlockTrace::barriers
};

/// A line that a warp stores to.
struct StoredLine {
  std::uint64_t line;
  SectorMask sectors, again;  ///< `again`: stored to by several requests
};

struct WarpTrace {
  std::vector<StoredLine> stored;  ///< since it has read global memory
  std::vector<TracedRun> runs;
  std::vector<TracedRequest> requests;
  std::vector<TracedBarrier> barriers;
  std::uint32_t steps = 0;         ///< requests of global memory
  std::uint64_t instructions = 0;  ///< carried out; `runs` may have fewer of them
  std::uint64_t traced = 0;        ///< those of `runs`
  std::uint32_t entered = 0;       ///< where the run that is under way began
  bool is_open = false;            ///< it is the last one of `runs`
};

struct BlockTrace {
  enum class Detail : std::uint8_t {
    some_lines,  ///< those that is_drawn() lets through
    all_lines,
    instructions,  ///< and all lines
  };
  static constexpr std::size_t kMostLines = 1 << 20;

  std::uint64_t linear = 0;
  Detail detail = Detail::some_lines;
  std::vector<LineAccess> lines;
  std::vector<WarpTrace> warps;
  std::vector<std::uint32_t> barriers;                ///< how many warps have waited at each
  std::uint64_t load_sectors = 0, store_sectors = 0;  ///< of all its requests
  std::uint64_t kept_store_sectors = 0;               ///< those of the lines that are kept
  std::uint64_t merged = 0;                           ///< of these: the L1 has put them to one of a store before
  std::uint64_t filled = 0;                           ///< sectors to which it has put others
};

/// Whether a line is among those that stand for all: one of 2^`halvings` neighbours, drawn at random. A cache that is
/// so many times smaller has as many hits among these (SHARDS, Waldspurger et al., FAST 2015).
inline bool is_drawn(std::uint64_t line, unsigned halvings) {
  return ((line ^ scatter(line >> halvings)) & ((1u << halvings) - 1)) == 0;
}

}  // namespace cudasim
