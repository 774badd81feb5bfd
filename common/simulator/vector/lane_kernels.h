// SPDX-License-Identifier: MIT
// The few loops over 32 lanes that memory accesses need, compiled once for each vector level like the meanings in isa/.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/instruction.h"
#include "vector/matrix_arithmetic.h"

namespace cudasim {

/// The range of the addresses of some lanes.
struct Span {
  std::uint64_t least, most, bits;  ///< bits: all of them or-ed
  std::uint32_t offset[kWarpSize];  ///< from the least, its low 32 bits; 0 of the other lanes
};

/// Passes that an access to shared memory takes.
struct Wavefronts {
  unsigned count, least;  ///< least: without bank conflicts
};

/// 4-byte words of all lanes, between memory and 1, 2 or 4 slots: word i of a lane at memory + offset[lane] + 4 * i.
struct WordMove {
  std::byte* memory;
  const std::uint32_t* offset;  ///< multiples of 4
  std::uint64_t bytes;          ///< from `memory` to the end of the last word
  std::byte* slot[4];
  unsigned count;
  bool is_store;
};

/// shfl.up, .down, .bfly, .idx.
enum class ShuffleMode : std::uint8_t { up, down, butterfly, index };

struct LaneKernels {
  /// True when for every lane in `mask`: addresses[lane] == first + lane * step. `first` belongs to lane 0, active or
  /// not. The step of the second one is 4.
  bool (*contiguous64)(const std::uint64_t* addresses, std::uint64_t first, std::uint32_t step, Mask mask);
  bool (*contiguous32)(const std::uint32_t* addresses, std::uint32_t first, Mask mask);
  /// True when all lanes are as far from their `offset` as lane 0 is from its own (modulo 2^32).
  bool (*same_distances)(const std::uint32_t* addresses, const std::uint32_t* offset);
  /// Moves the words if that is true; returns whether it was.
  bool (*move_if_same_distances)(const std::uint32_t* addresses, const WordMove& move);
  /// Copies the elements of the lanes in `mask` (`to` and `from` are lane 0's), if the addresses, of 4 or 8 bytes, fit.
  /// They fit if they begin with `first` for lane 0 and are as far apart as elements of 4 or 8 bytes. Returns whether
  /// they fit.
  using MoveCoalesced = bool (*)(const void* addresses, std::uint64_t first, void* to, const void* from, Mask mask);
  MoveCoalesced move_coalesced32_at_32, move_coalesced32_at_64, move_coalesced64_at_64;
  /// to[lane] = the 4 bytes at from + offset[lane], for the lanes in `mask`. `from` has `bytes` bytes, and all offsets
  /// are multiples of 4.
  void (*gather32)(void* to, const void* from, std::uint64_t bytes, const std::uint32_t* offset, Mask mask);
  /// Copies the 4-byte (8-byte) lanes of `mask`; reads and writes no other lane.
  void (*copy32)(void* to, const void* from, Mask mask);
  void (*copy64)(void* to, const void* from, Mask mask);
  /// Copies all lanes, of 4 or 8 bytes, by wide stores: what the next operation loads as a wide vector should be stored
  /// as one.
  void (*copy_all)(void* to, const void* from, bool is_wide);
  /// Writes the low 4 bytes (all 8 bytes) of `value` to the lanes of `mask`.
  void (*fill32)(void* to, std::uint64_t value, Mask mask);
  void (*fill64)(void* to, std::uint64_t value, Mask mask);
  /// Adds `by` to all lanes of `count` slots of 4 (8) bytes a lane, `stride` bytes apart.
  using Shift = void (*)(std::byte* slot, std::size_t stride, std::size_t count, std::uint64_t by);
  Shift shift32, shift64;
  /// to[lane] = base[lane] + displacement, of 8-byte lanes and of 4-byte lanes (modulo 2^32). It is here and not in the
  /// machine because a wide load right behind narrower stores waits for them.
  void (*add64)(std::uint64_t* to, const void* base, std::uint64_t displacement);
  void (*add32)(std::uint64_t* to, const void* base, std::uint32_t displacement);
  /// `mask` must not be empty.
  void (*span)(const std::uint64_t* addresses, Mask mask, Span& span);
  /// How many 32-byte sectors hold the lanes' places. The first sector begins `phase` bytes before the first place.
  unsigned (*sectors)(const std::uint32_t* offset, std::uint32_t phase, Mask mask);
  /// One lane of each group of lanes that have the same word.
  Mask (*distinct)(const std::uint32_t* words, Mask mask);
  /// True when the lanes in `mask` hold the same word.
  bool (*uniform32)(const std::uint32_t* words, Mask mask);
  /// shfl of 4-byte slots, between the lanes of `mask`. A lane that would read from another one keeps its own value.
  /// Returns the lanes whose source is in range. `to` may be one of the others.
  Mask (*shuffle)(ShuffleMode mode, void* to, const void* a, const void* b, const void* c, Mask mask);
  /// For `bytes` (1 to 16) a lane, at addresses in shared memory that are multiples of it.
  Wavefronts (*wavefronts)(const std::uint64_t* addresses, std::uint32_t bytes, Mask mask);
  void (*multiply_matrices)(const MatrixProduct& product);  ///< matrix_arithmetic.cpp
};

const LaneKernels& lane_kernels(Level level);

}  // namespace cudasim
