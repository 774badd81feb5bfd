// SPDX-License-Identifier: MIT
// The race checker's shadow memory (ThreadSanitizer: shadow cells): which accesses each place of memory has had. A line
// is 32 granules (4 bytes each, or the smallest access of the kernel). One warp instruction gives one Segment for each
// line: which granules, and which lane touched each. So a coalesced access costs one segment, and two segments are
// compared by their masks:
//
//   Granule   0   1   2   3   4   5   6   7  ...  31
//           +---+---+---+---+---+---+---+---+----+---+
//   Line    |   |   |   |   |   |   |   |   |    |   |   Each cell is 4 bytes: a line is 128 bytes.
//           +---+---+---+---+---+---+---+---+----+---+
//   Segment | 0   1   2   3   4   5   6   7  ...  31 |   A coalesced store of warp 0 has the mask 0xffffffff.
//   Segment         | 9 |   | 4 |                        A load of lanes 9 and 4 of warp 5 has the mask 0x00000014.
//   Witness                 | w |                        The last thread that read the atomics of granule 4.
//
// Lines::Head::first begins the list of segments of a line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "checkers/race/shadow/access_kind.h"
#include "checkers/race/shadow/happens_before.h"
#include "checkers/race/shadow/pool.h"

namespace cudasim {

struct Allocation;

/// The lanes of a warp that touched a granule with one instruction: mostly one.
struct Lanes {
  Mask mask = 0;
  unsigned first() const { return static_cast<unsigned>(__builtin_ctz(mask)); }
  unsigned last() const { return 31 - static_cast<unsigned>(__builtin_clz(mask)); }
  bool is_one() const { return (mask & (mask - 1)) == 0; }
  bool operator==(const Lanes& other) const { return mask == other.mask; }
};
using LaneMap = std::array<Lanes, kWarpSize>;  // by granule of a line

/// The accesses of one warp instruction to one line (ThreadSanitizer: shadow word). It is small: a launch may have one
/// for each 128 bytes of its data.
struct Segment {
  static constexpr std::uint8_t kAnyPattern = 0xff;     ///< at least one granule by several lanes
  static constexpr std::uint8_t kSinglePattern = 0xfe;  ///< each granule by one lane
  std::uint32_t granules = 0;
  std::uint32_t instruction = 0;  ///< MicroOp::counter
  std::uint64_t block = 0;
  Clock clock = 0;
  std::uint32_t next = 0;
  std::uint32_t lanes = 0;  ///< index of its LaneMap, where it has one
  std::uint16_t warp = 0;
  AccessKind kind;
  std::uint8_t pattern = 0;  ///< which lane touched each granule, see lane_of(); or one of the two above
  bool has_map() const { return pattern >= kSinglePattern; }
  /// A lane may own several neighbouring granules (1, 2, 4, ... 32): its words are wide, or lie apart. The pattern's
  /// high bits say how many.
  static constexpr std::uint8_t pattern_for(unsigned lane, unsigned granule, unsigned shift) {
    return static_cast<std::uint8_t>(shift << 5 | ((lane - (granule >> shift)) % kWarpSize));
  }
  static constexpr unsigned lane_of(std::uint8_t pattern, unsigned granule) {
    return (pattern + (granule >> (pattern >> 5))) % kWarpSize;
  }
};
static_assert(sizeof(Segment) == 32, "see above");

/// The pattern of a segment of one granule, where `pattern` is that of the whole line.
std::uint8_t pattern_of(Lanes lane, unsigned granule, std::uint8_t pattern);

/// A segment and a lane in one word. Its highest bit marks it: the index of a segment has this bit clear. It also
/// differs from the end of a list.
struct Direct {
  static constexpr std::uint32_t kBit = 1u << 31;
  static constexpr std::uint32_t kSegments = (1u << 26) - 1;  ///< further ones do not fit
  std::uint32_t bits;
  Direct(std::uint32_t segment, unsigned lane) : bits(kBit | segment << 5 | lane) {}
  explicit Direct(std::uint32_t bits_) : bits(bits_) {}
  std::uint32_t segment() const { return (bits & ~kBit) >> 5; }
  unsigned lane() const { return bits & 31; }
};
constexpr std::uint32_t kEndOfList = ~0u;
constexpr std::uint32_t kGranulesPerLine = 32;

struct SegmentPool {
  explicit SegmentPool(std::uint32_t shift) : segments(shift), maps(shift), lists(shift - 4) {}
  Pool<Segment> segments;
  Pool<LaneMap> maps;
  /// For scattered lines: for each granule the first of its segments. Where it has a single segment, of a single lane,
  /// the entry is a Direct. The many granules of a scattered access then share one segment, whose `lanes` counts them.
  Pool<std::array<std::uint32_t, 32>> lists;
  Lanes lane(const Segment& s, unsigned granule) const {
    if (s.has_map()) return maps[s.lanes][granule];
    return {1u << Segment::lane_of(s.pattern, granule)};
  }
  void release(Direct direct) {
    if (--segments[direct.segment()].lanes == 0) segments.give(direct.segment());
  }
  void drop(std::uint32_t index) {
    if (segments[index].has_map()) maps.give(segments[index].lanes);
    segments.give(index);
  }
  /// Adds a new segment at the head of a list. `lane`: by granule, copied where its pattern does not give it.
  void add(const Segment& segment, const LaneMap& lane, std::uint32_t& first);
  /// Makes a list for each granule from the one for the line. Returns the index into `lists`.
  std::uint32_t scatter(std::uint32_t first);
  /// Makes a list of one item from a Direct.
  void spell_out(std::uint32_t& entry, unsigned granule);
  void clear() {
    segments.clear();
    maps.clear();
    lists.clear();
  }
};

/// The thread that knows that all atomics (and other strong writes) of one granule so far are complete. An atomic reads
/// what the one before it left, and so all of them. What its thread does later to this granule comes after them, and so
/// does what is ordered after that thread. Source: PTX ISA, "Observation order" and "Causality order". It says nothing
/// about other places.
struct Witness {
  std::uint64_t block = 0;
  std::uint32_t generation = 0;  ///< an older one: the granule has no write yet
  Clock clock = 0;
  std::uint16_t warp = 0;
  std::uint8_t lane = 0;
  bool known = false;  ///< false: no thread knows, until the next one that reads
};

/// The lines of a stretch of memory; those of an older generation are empty.
struct Lines {
  struct Head {
    std::uint32_t generation = 0;
    /// The first segment; or, with `kScattered` set, an index into SegmentPool::lists. Without these lists, a line in
    /// which many warps touch single granules would have one long list, which every access would walk.
    std::uint32_t first = 0;
    /// Granules with nothing but plain reads, of two blocks at least, where nothing orders blocks. A read by a block
    /// that began later than the `quiet_until`th changes nothing. With `quiet_atomics`, the same holds for atomics of
    /// the whole device, but of any block. In shared memory: granules that two warps have read, without a write, or
    /// that two warps have updated, with nothing but atomics, since the last barrier of the whole block. That barrier's
    /// time is `quiet_until`.
    std::uint32_t quiet = 0;
    std::uint32_t quiet_until : 30;
    std::uint32_t quiet_atomics : 1;
    std::uint32_t is_kept : 1;  ///< by the undo log, in this launch
    static constexpr std::uint32_t kLastBlock = ~0u >> 2;
    bool is_quiet(std::uint32_t granules, bool atomics, std::uint32_t block_sequence) const {
      return (granules & ~quiet) == 0 && quiet_atomics == atomics && (atomics || block_sequence > quiet_until);
    }
    bool is_quiet_since(std::uint32_t granules, bool atomics, std::uint32_t barrier) const {
      return (granules & ~quiet) == 0 && quiet_atomics == atomics && quiet_until == barrier;
    }
    static constexpr std::uint32_t kScattered = 1u << 31;
    bool is_scattered() const { return first != kEndOfList && (first & kScattered) != 0; }
  };
  HugeArray<Head> heads;
  HugeArray<Witness> witnesses;                          ///< By granule; none until the first strong access.
  std::uint64_t written_begin = ~0ull, written_end = 0;  ///< No line before or after these has been written.
  const Allocation* allocation = nullptr;                ///< For global memory.
  std::uint32_t* kept = nullptr;                         ///< For global memory with an undo log: its table there.
  std::size_t count = 0;
  std::uint64_t base = 0;  ///< address of the first line
  std::uint32_t generation = 0;

  /// A longer table begins empty: generation 0.
  void grow(std::size_t lines);
  void note_written(std::uint64_t first, std::uint64_t last) {
    written_begin = written_begin < first ? written_begin : first;
    written_end = written_end > last + 1 ? written_end : last + 1;
  }
};

}  // namespace cudasim
