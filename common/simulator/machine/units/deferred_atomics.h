// SPDX-License-Identifier: MIT
// Additions to global memory that a worker keeps for itself for a while. Where several workers count into the same
// cells, each addition is a locked instruction of the host's, on a line that every core wants: two workers were no
// quicker than one. Sums of integers do not depend on their order, so an addition whose result nobody reads may come
// later, together with the others to its cell. A worker collects them for a few stretches of memory at a time, of each
// of which it holds a copy that begins with zeros, as a cache that combines writes would.
//
// Who could tell the difference, and why nobody does:
// - An access of the same worker, of whatever block: before() is asked of the bytes before each access that is not such
//   an addition itself (Interpreter::resolve, resolve_span, move_side_by_side). Kernels with texture fetches, which
//   read past these, keep nothing.
// - An access of another worker: what it may rely on is ordered by a fence of the grid, or an atomic with an order, and
//   both flush(). A barrier orders threads of one block alone, which are on one worker. Who waits without any order
//   must not wait for ever: the end of a block's turn flushes, and each look at the clock of one that takes long.
// - The host, and the next launch: a worker's last turn is over before its launch is.
// - Loads with an order, atomics with a result, printf: a kernel with these has one worker (Program::order_sensitive),
//   and one that is alone keeps nothing.
// - Who watches: checkers go by who touches what, which they are told as ever. Of what is in memory they only read what
//   a plain store is about to replace, and the undo log what was there before anybody wrote. Observers may read all
//   that an atomic leaves: with them, nothing is kept.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace cudasim {

class DeferredAtomics {
 public:
  using Word = std::uint32_t;
  /// Cells that lie within so many bytes are taken, wherever one begins: most histograms, and little beside the caches
  /// of a core.
  static constexpr std::size_t most_bytes = 16384;

  /// Whether words in [begin, begin + bytes) may be added to later. True: only such follow, until anything else is
  /// called. `bytes` is at most `most_bytes`, `begin` a multiple of a word.
  bool takes(std::byte* begin, std::size_t bytes) {
    const std::uintptr_t first = number(begin), end = first + bytes;
    if (to_refuse_ != 0) return --to_refuse_, false;
    if (!now_->reaches(first, end) && !finds(first, end)) return false;
    ++taken_;
    now_->used.add(first, end);
    used_.add(first, end);
    return true;
  }
  /// The place of the sum of what is to be added there.
  Word& sum(std::byte* word) { return now_->sums[(number(word) - now_->first) / sizeof(Word)]; }

  /// Somebody is about to look at these bytes, or to change them.
  void before(const std::byte* begin, std::size_t bytes) {
    const std::uintptr_t first = number(begin);
    if (used_.meets(first, first + bytes)) look_closely(first, first + bytes);
  }
  void flush() {
    if (used_.end != 0) add_to_memory();
  }

 private:
  static constexpr std::size_t line_bytes = 64, stretch_bytes = 2 * most_bytes + line_bytes;
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
      return sums != nullptr && begin >= first && end <= first + stretch_bytes;
    }
  };
  static std::uintptr_t number(const std::byte* place) { return reinterpret_cast<std::uintptr_t>(place); }
  bool finds(std::uintptr_t first, std::uintptr_t end);
  void look_closely(std::uintptr_t first, std::uintptr_t end);
  void add_to_memory();
  static void add_to_memory(Stretch& stretch);

  std::array<Stretch, 4> stretches_;  // a kernel may count in several arrays in turn
  Stretch* now_ = stretches_.data();  // that took the last ones
  Range used_;                        // of all stretches
  unsigned misses_ = 0;               // since all are in use
  unsigned taken_ = 0;                // accesses since anything was made
  unsigned to_refuse_ = 0;            // the next ones
};

}  // namespace cudasim
