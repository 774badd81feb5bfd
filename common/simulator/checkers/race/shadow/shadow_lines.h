// SPDX-License-Identifier: MIT
// Data races in shared and global memory: two accesses of one place by different threads, at least one of them a write,
// that nothing orders (CUDA C++ Programming Guide, "Memory Fence Functions" and "Synchronization Functions"; PTX ISA,
// "Memory Consistency Model"). A race is found whatever order the threads ran in, as only clocks are compared.
//
// Memory is remembered in lines of 32 granules (4 bytes each, or the smallest access of the kernel). What one warp
// instruction did to one line is one Segment: which granules, and which lane touched each. So a coalesced access costs
// one segment, and two segments are compared by their masks. Of shared memory even that is only done where two accesses
// may race (shared_epoch.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "checkers/race/shadow/happens_before.h"
#include "checkers/race/shadow/shared_epoch.h"
#include "memory/memory.h"
#include "vector/lane_kernels.h"

namespace cudasim {

struct Neighbours;
struct Program;
class UndoLog;
enum class Ordering : std::uint8_t;

/// How an access takes part in synchronisation.
struct AccessKind {
  bool store : 1;   ///< or atomic
  bool atomic : 1;  ///< atom, red
  bool strong : 1;  ///< relaxed, acquire, release
  bool is_volatile : 1;
  bool fenced : 1;     ///< a volatile store after a fence of its warp: it publishes what went before
  bool of_block : 1;   ///< atomic or strong for the threads of its own block only
  bool observes : 1;   ///< a load, or an atomic whose result is used: the thread can know what came before
  bool read_only : 1;  ///< a load by the read-only cache
  AccessKind()
      : store(false),
        atomic(false),
        strong(false),
        is_volatile(false),
        fenced(false),
        of_block(false),
        observes(false),
        read_only(false) {}
};

/// One that is atomic for the threads of all blocks.
inline bool is_device_atomic(const AccessKind& kind) { return kind.atomic && !kind.of_block; }

inline bool at_least_volatile(const AccessKind& kind) { return kind.atomic || kind.strong || kind.is_volatile; }
inline bool is_plain_read(const AccessKind& kind) { return !kind.store && !at_least_volatile(kind); }

/// Whether no order makes it right: the read-only cache may hold what was there before the launch (PTX ISA,
/// ld.global.nc).
inline bool is_stale_read(const AccessKind& now, const AccessKind& earlier) { return now.read_only && earlier.store; }

/// The lanes of a warp that touched a granule with one instruction: mostly one.
struct Lanes {
  Mask mask = 0;
  unsigned first() const { return static_cast<unsigned>(__builtin_ctz(mask)); }
  unsigned last() const { return 31 - static_cast<unsigned>(__builtin_clz(mask)); }
  bool is_one() const { return (mask & (mask - 1)) == 0; }
  bool operator==(const Lanes& other) const { return mask == other.mask; }
};
using LaneMap = std::array<Lanes, warp_size>;  // by granule of a line

/// Kept small: a launch may have one for each 128 bytes of its data.
struct Segment {
  static constexpr std::uint8_t any_pattern = 0xff;     ///< at least one granule by several lanes
  static constexpr std::uint8_t single_pattern = 0xfe;  ///< each granule by one lane
  std::uint32_t granules = 0;
  std::uint32_t instruction = 0;  ///< MicroOp::counter
  std::uint64_t block = 0;
  Clock clock = 0;
  std::uint32_t next = 0;
  std::uint32_t lanes = 0;  ///< index of its LaneMap, where it has one
  std::uint16_t warp = 0;
  AccessKind kind;
  std::uint8_t pattern = 0;  ///< which lane touched each granule, see lane_of(); or one of the two above
  bool has_map() const { return pattern >= single_pattern; }
  /// Of wide words, or of words that lie apart, several neighbouring granules (1, 2, 4, ... 32) belong to one lane: the
  /// pattern's high bits say how many.
  static constexpr std::uint8_t pattern_for(unsigned lane, unsigned granule, unsigned shift) {
    return static_cast<std::uint8_t>(shift << 5 | ((lane - (granule >> shift)) % warp_size));
  }
  static constexpr unsigned lane_of(std::uint8_t pattern, unsigned granule) {
    return (pattern + (granule >> (pattern >> 5))) % warp_size;
  }
};
static_assert(sizeof(Segment) == 32, "see above");

/// Arrays that are touched all over are quicker on huge pages. The items begin as zero bytes.
struct UnmapArray {
  std::size_t bytes = 0;
  void operator()(void* begin) const;
};
template <class Item>
using HugeArray = std::unique_ptr<Item[], UnmapArray>;
/// Throws std::bad_alloc.
void* map_huge(std::size_t bytes);
template <class Item>
HugeArray<Item> huge_array(std::size_t count) {
  static_assert(std::is_trivially_destructible_v<Item>, "its storage is given back as it is");
  return {static_cast<Item*>(map_huge(count * sizeof(Item))), UnmapArray{count * sizeof(Item)}};
}

/// Items that are given back are taken again; all are forgotten at once by clear(), which keeps the storage.
template <class Item>
class Pool {
 public:
  /// Grows by 2^shift items.
  explicit Pool(std::uint32_t shift) : shift_(shift) {}
  Item& operator[](std::uint32_t i) { return chunks_[i >> shift_][i & mask()]; }
  const Item& operator[](std::uint32_t i) const { return chunks_[i >> shift_][i & mask()]; }
  std::uint32_t take() {
    if (!free_.empty()) {
      const std::uint32_t i = free_.back();
      free_.pop_back();
      return i;
    }
    if (used_ >> shift_ == chunks_.size()) chunks_.emplace_back(huge_array<Item>(std::size_t{1} << shift_));
    return used_++;
  }
  void give(std::uint32_t i) { free_.push_back(i); }
  void clear() {
    used_ = 0;
    free_.clear();
  }

 private:
  std::uint32_t mask() const { return (1u << shift_) - 1; }
  std::uint32_t shift_;
  std::vector<HugeArray<Item>> chunks_;
  std::vector<std::uint32_t> free_;
  std::uint32_t used_ = 0;
};

/// A segment and a lane in one word, told from the index of a segment by its highest bit, and from the end of a list.
struct Direct {
  static constexpr std::uint32_t bit = 1u << 31;
  static constexpr std::uint32_t segments = (1u << 26) - 1;  ///< further ones do not fit
  std::uint32_t bits;
  Direct(std::uint32_t segment, unsigned lane) : bits(bit | segment << 5 | lane) {}
  explicit Direct(std::uint32_t bits_) : bits(bits_) {}
  std::uint32_t segment() const { return (bits & ~bit) >> 5; }
  unsigned lane() const { return bits & 31; }
};
constexpr std::uint32_t end_of_list = ~0u;
constexpr std::uint32_t granules_per_line = 32;

struct SegmentPool {
  explicit SegmentPool(std::uint32_t shift) : segments(shift), maps(shift), lists(shift - 4) {}
  Pool<Segment> segments;
  Pool<LaneMap> maps;
  /// Of scattered lines: for each granule the first of its segments, or, where it has one only, of a single lane, that
  /// as a Direct. The many granules of a scattered access then share one segment, whose `lanes` counts them.
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
  void clear() {
    segments.clear();
    maps.clear();
    lists.clear();
  }
};

/// Who knows that all atomics (and other strong writes) of one granule so far are done. An atomic reads what the one
/// before it left, and so all of them: what its thread does later to this granule comes after them, and so does what is
/// ordered after that thread (PTX ISA, "Observation order" and "Causality order"). Of other places it says nothing.
struct Witness {
  std::uint64_t block = 0;
  std::uint32_t generation = 0;  ///< of an older one: nobody has written yet
  Clock clock = 0;
  std::uint16_t warp = 0;
  std::uint8_t lane = 0;
  bool known = false;  ///< or nobody does, until the next one that reads
};

/// The lines of a stretch of memory; those of an older generation are empty.
struct Lines {
  struct Head {
    std::uint32_t generation = 0;
    /// The first segment; or, with `scattered` set, an index into SegmentPool::lists: a line in which many warps touch
    /// single granules would have a long list otherwise, which every access would walk.
    std::uint32_t first = 0;
    /// Granules that nobody but plain reads has touched, of two blocks at least, where nothing orders blocks. A read by
    /// a block that began later than the `quiet_until`th changes nothing. With `quiet_atomics`, the same of atomics of
    /// the whole device, but of any block. In shared memory: granules that two warps have read, and nobody has written,
    /// since the barrier of the whole block at the time `quiet_until`.
    std::uint32_t quiet = 0;
    std::uint32_t quiet_until : 30;
    std::uint32_t quiet_atomics : 1;
    std::uint32_t is_kept : 1;  ///< by the undo log, in this launch
    static constexpr std::uint32_t last_block = ~0u >> 2;
    bool is_quiet(std::uint32_t granules, bool atomics, std::uint32_t block_sequence) const {
      return (granules & ~quiet) == 0 && quiet_atomics == atomics && (atomics || block_sequence > quiet_until);
    }
    bool is_quiet_since(std::uint32_t granules, std::uint32_t barrier) const {
      return (granules & ~quiet) == 0 && quiet_until == barrier;
    }
    static constexpr std::uint32_t scattered = 1u << 31;
    bool is_scattered() const { return first != end_of_list && (first & scattered) != 0; }
  };
  HugeArray<Head> heads;
  HugeArray<Witness> witnesses;                          ///< by granule; none until the first strong access
  std::uint64_t written_begin = ~0ull, written_end = 0;  ///< no line before or after these has been written
  const Allocation* allocation = nullptr;                ///< of global memory
  std::uint32_t* kept = nullptr;                         ///< of global memory, with an undo log: its table there
  std::size_t count = 0;
  std::uint64_t base = 0;  ///< address of the first line
  std::uint32_t generation = 0;
};

/// What the checker keeps for a block under way.
struct RaceBlock {
  BlockClocks clocks;
  Lines shared;
  SegmentPool pool{10};
  SharedPhase phase;
  std::uint32_t sequence = 0;  ///< the how-manieth block of the launch
  /// Of all its warps: when it was, as Lines::Head has it.
  std::uint32_t last_barrier() const { return static_cast<std::uint32_t>(clocks.everyone) & Lines::Head::last_block; }
};

/// One pair of accesses that nothing orders.
struct Conflict {
  Segment earlier;                   ///< in the order of this run; which of them comes first elsewhere is chance
  std::uint64_t address = 0;         ///< of the first granule concerned
  std::uint64_t access_address = 0;  ///< of the later lane's whole access
  std::uint32_t bytes = 0;
  unsigned earlier_lane = 0, lane = 0;
  bool same_instruction = false;  ///< two lanes of one store
};

class RaceChecker {
 public:
  void begin_launch(const Program& program, const Memory& memory);
  /// Comes after begin_launch(): what is about to be overwritten in global memory is kept in `undo`.
  void keep_in(UndoLog& undo) { undo_ = &undo; }
  /// Whether two of them, which have seen different blocks of one launch, have seen one granule of global memory, and
  /// at least one of the two a write; but for atomics of the whole device on both sides, which may meet.
  static bool meet(const std::vector<const RaceChecker*>& checkers);
  void forget_allocations() { places_.fill({}); }
  void begin_block(RaceBlock& block, std::uint64_t linear, std::uint32_t warps, std::uint32_t shared_bytes);
  HappensBefore& order() { return order_; }
  // What HappensBefore says of them.
  void sync_warp(RaceBlock& block, std::uint32_t warp, Mask mask, Mask live);
  void arrive(RaceBlock& block, std::uint32_t warp, std::uint32_t barrier, Mask lanes, Mask all);
  /// `lanes`: those that meet, where some warps do not come with all of theirs; else null.
  void open(RaceBlock& block, std::uint32_t barrier, std::uint32_t warps, bool all, const WarpLanes* lanes = nullptr);
  void fence(RaceBlock& block, std::uint32_t warp, bool whole_grid);

  struct Access {
    std::uint32_t warp = 0;
    std::uint32_t instruction = 0;
    std::uint32_t bytes = 0;  ///< a lane
    AccessKind kind;
    Ordering ordering;
    bool is_shared = false;
    /// Where the lanes lie: either of these, or lane i touches the 4 bytes at `first` + 4 * i.
    const Span* span = nullptr;
    const std::uint64_t* address = nullptr;
    std::uint64_t first = 0;
    std::uint64_t address_of(unsigned lane) const {
      return span != nullptr ? span->least + span->offset[lane] : address != nullptr ? address[lane] : first + 4 * lane;
    }
  };
  /// Looks at what the lanes in `mask` are about to do. The result is valid until the next call. Sets
  /// `access.kind.fenced`; not on a copy, as copying what has just been written waits for all stores before it.
  const std::vector<Conflict>& look_at(RaceBlock& block, Access& access, Mask mask, const Memory& memory);

  /// A plain access of a whole warp (coalesced.cpp). False when it has to be looked at, and nothing has been done;
  /// else it need not be.
  bool take_neighbours(const RaceBlock& block, const Neighbours& now, std::uint32_t warp, std::uint32_t instruction,
                       AccessKind kind);

  /// For note(): where lanes lie that are so far apart. Valid until the next launch.
  const Shape& shape_of(const std::uint32_t* offset, std::uint32_t bytes);
  /// A plain access of a whole warp to shared memory. False when it has to be looked at; else it need not be.
  static bool note(RaceBlock& block, const Shape& shape, std::uint32_t begin, std::uint32_t warp,
                   std::uint32_t instruction, bool is_store);
  /// The same of the lanes in `mask`, which lie as they will hardly lie again. `bytes`: of a lane, aligned, 4 to 32.
  static bool note_once(RaceBlock& block, const Span& span, std::uint32_t bytes, Mask mask, std::uint32_t warp,
                        std::uint32_t instruction, bool is_store);

 private:
  /// What this instruction does to one line.
  struct Staged {
    std::uint64_t line = 0;
    std::uint32_t granules = 0;
    std::uint32_t quiet = 0;  ///< see Lines::Head
    std::uint8_t pattern = 0;
    LaneMap lane;
  };
  struct Overlap {
    std::uint32_t both = 0, concurrent = 0;  ///< granules; concurrent: those that nothing orders
    std::uint32_t same_lanes = 0;            ///< of the concurrent ones: by the same several lanes of one warp
    bool own_warp = false;
    bool again = false;  ///< the same lanes of the same warp at the same places
  };
  /// How an access was cut the last time (cp.async is two): loops mostly come with the same distances between their
  /// lanes again. Other warps begin elsewhere in a line, at another phase.
  struct Cut {
    std::uint32_t launch = 0;  ///< of an older one: empty
    std::uint32_t instruction = ~0u, bytes = 0, phase = 0, misses = 0;
    Mask mask = 0;
    std::array<std::uint32_t, warp_size> offset;
    std::vector<Staged> staged;  // lines from the first one's
  };
  /// The memory that an instruction touched the last time.
  struct Place {
    const Allocation* allocation = nullptr;
    Lines* lines = nullptr;
    std::uint64_t line = 0;  ///< of neighbours: the first one's
  };
  Mask look_at(RaceBlock& block, const Access& access, Lines& lines, SegmentPool& pool, Mask mask,
               const Allocation* allocation);
  void look_at_shared(RaceBlock& block, const Access& access, Mask mask);
  // noted.cpp
  void take_notes(RaceBlock& block);
  void give_up_notes(RaceBlock& block, const Access& access, Mask mask);

  Lines* lines_of(const Allocation& allocation);
  static void note_written(Lines& lines, std::uint64_t first, std::uint64_t last) {
    lines.written_begin = lines.written_begin < first ? lines.written_begin : first;
    lines.written_end = lines.written_end > last + 1 ? lines.written_end : last + 1;
  }
  /// Before it is written.
  void keep(Lines& lines, std::uint64_t line) {
    Lines::Head& head = lines.heads[line];
    if (head.generation != lines.generation) head = {lines.generation, end_of_list, 0, 0, 0, 0};
    if (head.is_kept == 0) keep_line(lines, line);
    head.is_kept = 1;
  }
  void keep_line(const Lines& lines, std::uint64_t line);
  Place& place_of(std::uint32_t instruction, std::uint64_t address, const Memory& memory);
  void look_ahead(Place& place, std::uint64_t address) const;
  Mask cut(const RaceBlock& block, const Access& access, const Lines& lines, Mask mask, const Allocation* allocation,
           bool whole);
  Cut& cut_of(const Access& access, std::uint64_t granule);
  bool stage_as_before(const Access& access, const Lines& lines, Mask mask);
  void remember_cut(const Access& access, const Lines& lines, Mask mask);
  void synchronise(RaceBlock& block, const Access& access, Mask mask);
  Mask stage(std::uint64_t block, const Access& access, const Lines& lines, Mask mask, const Allocation* allocation);
  void stage_contiguous(const Lines& lines, std::uint64_t address, Mask mask);
  Staged& staged_line(std::uint64_t line);
  static void find_pattern(Staged& staged);
  void collide(std::uint64_t block, const Access& access, Staged& staged, std::uint32_t granules, unsigned lane,
               std::uint64_t address);
  Overlap overlap_of(const RaceBlock& block, const Access& access, const SegmentPool& pool, const Segment& earlier,
                     const Staged& now) const;
  bool observed(const RaceBlock& block, const Access& access, unsigned lane, const Witness& witness) const;
  std::uint32_t observed(const RaceBlock& block, const Access& access, const Lines& lines, const Staged& now,
                         std::uint32_t granules) const;
  void observe(const RaceBlock& block, const Access& access, Lines& lines, std::uint64_t granule, unsigned lane) const;
  void observe(const RaceBlock& block, const Access& access, Lines& lines, const Staged& now,
               std::uint32_t granules) const;
  void visit(RaceBlock& block, const Access& access, Lines& lines, SegmentPool& pool, Staged& now);
  unsigned visit_list(RaceBlock& block, const Access& access, const Lines& lines, SegmentPool& pool, Staged& now,
                      std::uint32_t& first);
  static std::uint32_t scatter(SegmentPool& pool, std::uint32_t first);
  static void spell_out(SegmentPool& pool, std::uint32_t& entry, unsigned granule);

  // coalesced.cpp
  Segment* own_segment(const RaceBlock& block, const Lines::Head& head, std::uint32_t warp, std::uint8_t pattern);

  // scattered.cpp
  struct Scattered {
    std::uint32_t instruction = ~0u, failures = 0;
  };
  bool visit_scattered(const RaceBlock& block, const Access& access, Lines& lines, SegmentPool& pool, Mask mask);
  struct Granules {
    std::uint32_t granule[warp_size];  ///< of each lane that takes part
    std::uint8_t lane[warp_size];
    unsigned count = 0;
  };
  bool take_granules(const RaceBlock& block, const Access& access, Lines& lines, std::uint64_t line, SegmentPool& pool,
                     const Granules& at);
  static bool take_untouched(const Lines& lines, std::uint64_t line, SegmentPool& pool, const Granules& at,
                             std::uint32_t segment);
  bool gives_way(const RaceBlock& block, const Access& access, const Segment& earlier, bool same_lane) const;
  bool visit_quiet(const RaceBlock& block, const Access& access, Lines& lines, Mask mask) const;
  void found(const RaceBlock& block, const Access& access, const Lines& lines, const SegmentPool& pool,
             const Segment& earlier, const Staged& now, std::uint32_t granules);

  HappensBefore order_;
  std::uint32_t granule_shift_ = 2;
  std::uint32_t generation_ = 0;
  std::uint32_t blocks_ = 0;  // that have begun
  UndoLog* undo_ = nullptr;
  SegmentPool pool_{16};                             // of global memory: chunks of at least a huge page
  std::unordered_map<std::uint64_t, Lines> global_;  // by allocation
  std::vector<Staged> staged_;
  std::array<Cut, 2048> cuts_;
  std::array<Place, 64> places_;
  std::array<Scattered, 64> scattered_;
  std::size_t staged_count_ = 0;
  std::vector<Conflict> conflicts_;
  std::vector<std::unique_ptr<Shape>> shapes_;
};

}  // namespace cudasim
