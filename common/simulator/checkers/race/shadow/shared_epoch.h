// SPDX-License-Identifier: MIT
// A summary of a block's accesses to shared memory since the last barrier of all its threads. It takes a few words for
// each line. Nearly every access comes after nothing that it could race with, and the summary shows this. Such an
// access is only noted. When an access may race, the notes become segments (shadow_lines.h). A barrier clears all
// notes.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "checkers/race/shadow/happens_before.h"
#include "vector/lane_kernels.h"

namespace cudasim {

/// The layout of a whole warp's lanes, from the first of them on, in words of 4 bytes.
struct Shape {
  Shape() = default;  ///< of lanes too far apart
  /// `offset`: of each lane's `bytes`, from the least; all multiples of 4.
  Shape(const std::uint32_t* offset, std::uint32_t bytes);
  /// Which lane touches each word, if that is a function of it: equal layouts have equal lane_of(). `begin`: the first
  /// word.
  std::uint8_t pattern_at(std::uint32_t begin) const;
  bool is_of(const std::uint32_t* offset, std::uint32_t bytes_) const;

  static constexpr std::uint32_t kMostLines = 40;  ///< a column of a matrix of 32 x 33 words has 33
  static constexpr std::uint8_t kAnyPattern = 0xff;
  Span span{};                                     ///< `least` is 0.
  std::uint32_t bytes = 0;                         ///< Those of one lane.
  std::uint32_t lines = 0;                         ///< The elements of `words` in use. 0 means: too far apart.
  bool collides = false;                           ///< Two lanes touch one word.
  std::array<std::uint32_t, kMostLines> words{};   ///< A bit for each that is touched.
  std::array<std::uint8_t, kWarpSize> patterns{};  ///< The first line's, by the place of the first word.
};

/// An epoch of a block's shared memory (FastTrack's term): what happens between two barriers of all threads.
class SharedEpoch {
 public:
  /// An access of the epoch, with the clock of its warp.
  /// An access that has been noted, and when its warp made it.
  struct EpochNote {
    const Span* span = nullptr;  ///< its offsets, and `most` from the first lane on
    std::uint32_t bytes = 0;     ///< of a lane
    std::uint32_t begin = 0;     ///< address of the first lane
    std::uint32_t instruction = 0;
    std::uint32_t warp = 0;
    Clock now = 0, lanes = 0;  ///< BlockClocks::Warp
    bool is_store = false;
    Mask mask = ~0u;
    bool is_again(const EpochNote& other) const {
      return instruction == other.instruction && begin == other.begin && warp == other.warp && now == other.now &&
             lanes == other.lanes && span == other.span;
    }
  };

  void begin_block(std::uint32_t shared_bytes);
  /// A barrier of all threads: later accesses are ordered after earlier ones.
  void forget();
  /// A plain access. False when it may race with an earlier one, or the summary cannot show it.
  bool note(const EpochNote& now, const Shape& shape);
  /// The same for lanes in a layout that will hardly recur, anywhere. The span is copied.
  bool note_once(EpochNote now);
  /// Any access that is compared by itself: the summary says nothing about these lines any more. True when there may be
  /// notes of one of them; then take them first.
  bool give_up(std::uint64_t begin, std::uint64_t end);
  bool is_full() const { return notes_.size() >= kMostNotes; }
  bool has_notes() const { return !notes_.empty(); }
  /// All notes in order, until the next note. For a repeated access, only the first and the last time remain.
  std::vector<EpochNote> take();

 private:
  static constexpr std::size_t kMostNotes = 16384;
  static constexpr std::uint16_t kMany = 0xffff;
  struct Line {
    std::uint32_t epoch = 0;                          ///< An older phase means: untouched.
    std::uint32_t read = 0, written = 0;              ///< Words.
    std::uint32_t fresh_read = 0, fresh_written = 0;  ///< The part of these since the last __syncwarp before `clock`.
    std::uint64_t turn = 0;                           ///< The last note_once() that touched it.
    std::uint32_t touched = 0;                        ///< The words that it touched.
    Clock clock = 0;                                  ///< That of the last access.
    std::uint16_t warp = 0;                           ///< The warp of these accesses, or `kMany`.
    std::uint8_t pattern = Shape::kAnyPattern;        ///< That of all accesses that __syncwarp has not ordered.
    bool noted = false;
  };
  struct Timed {
    EpochNote note;
    std::uint64_t first = 0, last = 0;
  };
  bool passes(Line& line, const EpochNote& now, std::uint32_t words, std::uint8_t pattern) const;
  void keep(const EpochNote& now);

  std::vector<Line> lines_;
  std::uint32_t epoch_ = 0;
  std::vector<Timed> notes_;
  std::deque<Span> for_once_;  // of notes, and then of later ones
  std::size_t used_for_once_ = 0;
  std::uint64_t turn_ = 0;
  std::array<std::uint16_t, 512> last_{};  ///< by instruction and warp: index into notes_, possibly from an older phase
  std::uint64_t time_ = 0;
};

}  // namespace cudasim
