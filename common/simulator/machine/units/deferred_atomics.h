// SPDX-License-Identifier: MIT
// Additions to global memory that a worker defers (the literature: write combining).
//
// Where several workers count into the same cells, each addition is a locked instruction of the host's, on a cache line
// that every core wants. Two workers are then no quicker than one. Sums of integers do not depend on their order. So an
// addition whose result is never read may come later, together with the others to its cell.
//
// A worker collects additions for a few stretches of memory at a time. It holds a copy of each that begins with zeros,
// as a write-combining cache would.
//
// Which parts could see the difference, and why none does:
//
// * An access of the same worker, in any block. The machine calls before() for the bytes of each access that is not
// such an addition itself (Interpreter::resolve, resolve_span, move_side_by_side).
// * Kernels with texture fetches keep nothing, as fetches do not call before().
// * An access of another worker. A fence of the grid, or an atomic with an order, orders all that it may rely on, and
// both flush().
// * A barrier orders only the threads of one block, which are on one worker.
// * A thread that waits without any order. It must not wait for ever: the end of a block's turn flushes, and so does
// each check of the clock in a long turn.
// * The host, and the next launch. A worker's last turn is over before its launch is.
// * Loads with an order, atomics with a result, printf. A kernel with these has one worker (Program::order_sensitive),
// and a worker that is alone keeps nothing.
// * Checkers. They go by which thread touches which place, and get every access as usual.
// * Values in memory. Checkers read only what a plain store is about to replace, and the undo log reads what was there
// before the first write.
// * Observers. They may read all that an atomic leaves: with them, nothing is kept.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace cudasim {

/// DeferredAtomics: a write-combining buffer of one worker.
class DeferredAtomics {
 public:
  using Word = std::uint32_t;
  /// The most bytes in which cells are collected, wherever the first one begins. It holds most histograms, and is small
  /// beside the caches of a core.
  static constexpr std::size_t kMostBytes = 16384;

  /// Whether words in [begin, begin + bytes) may be added to later. True: only such additions follow, until anything
  /// else is called. The size `bytes` is at most `kMostBytes`, `begin` a multiple of a word.
  bool takes(std::byte* begin, std::size_t bytes) {
    const std::uintptr_t first = number(begin), end = first + bytes;
    if (to_refuse_ != 0) return --to_refuse_, false;
    if (!now_->reaches(first, end) && !finds(first, end)) return false;
    ++taken_;
    now_->used.add(first, end);
    used_.add(first, end);
    return true;
  }
  /// The place of the sum of the additions to come there.
  Word& sum(std::byte* word) { return now_->sums[(number(word) - now_->first) / sizeof(Word)]; }

  /// Call it before these bytes are read or changed.
  void before(const std::byte* begin, std::size_t bytes) {
    const std::uintptr_t first = number(begin);
    if (used_.meets(first, first + bytes)) look_closely(first, first + bytes);
  }
  void flush() {
    if (used_.end != 0) add_to_memory();
  }

 private:
  static constexpr std::size_t kLineBytes = 64, kStretchBytes = 2 * kMostBytes + kLineBytes;
  struct Range {
    std::uintptr_t begin = ~std::uintptr_t{0}, end = 0;
    bool meets(std::uintptr_t first, std::uintptr_t last) const { return first < end && last > begin; }
    void add(std::uintptr_t first, std::uintptr_t last) {
      if (first < begin) begin = first;
      if (last > end) end = last;
    }
  };
  struct Stretch {
    std::unique_ptr<Word[]> sums;  // null: there was none yet
    std::uintptr_t first = 0;
    Range used;  // within it
    bool reaches(std::uintptr_t begin, std::uintptr_t end) const {
      return sums != nullptr && begin >= first && end <= first + kStretchBytes;
    }
  };
  static std::uintptr_t number(const std::byte* place) { return reinterpret_cast<std::uintptr_t>(place); }
  bool finds(std::uintptr_t first, std::uintptr_t end);
  void look_closely(std::uintptr_t first, std::uintptr_t end);
  void add_to_memory();
  static void add_to_memory(Stretch& stretch);

  std::array<Stretch, 4> stretches_;  // a kernel may count in several arrays in turn.
  Stretch* now_ = stretches_.data();  // The stretch that took the last ones.
  Range used_;                        // All stretches together.
  unsigned misses_ = 0;               // Since all are in use.
  unsigned taken_ = 0;                // Accesses since the last allocation.
  unsigned to_refuse_ = 0;            // The next ones.
};

}  // namespace cudasim
