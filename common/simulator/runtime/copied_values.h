// SPDX-License-Identifier: MIT
// The checks of a copy, a fill, or a call of a library. They update the record of written bytes, and report undefined
// bytes that reach the host, and places that a call shares with other streams.
#pragma once

#include <cstddef>
#include <string>

#include "checkers/init/initialised.h"
#include "runtime/runtime.h"

namespace cudasim {

/// Of Runtime::reported, for a read of which a finding said that it comes too early. A value that it found unwritten
/// was on its way.
std::string key_of_early_read(const std::string& kernel, int ptx_line);

class CopiedValues {
 public:
  /// `source` is nullptr for a fill. Does nothing when the check of undefined values is off. `call`: for findings.
  CopiedValues(Runtime& runtime, const char* call, const void* destination, const void* source);
  /// A row that was copied or filled: offsets from the destination and from the source.
  void row(std::size_t to_offset, std::size_t from_offset, std::size_t bytes);
  /// Comes after the last row: reports its undefined bytes. `work`: the copy.
  void report(const StreamWork& work);

  static void count_as_written(Runtime& runtime, const TouchedPlaces& places);

 private:
  /// The check `coverage`: a copy on the device reads its source, and hands on who has written that. All others are the
  /// host's.
  void cover_row(std::size_t to_offset, std::size_t from_offset, std::size_t bytes) const;

  Runtime& runtime_;
  const char* call_;
  InitChecker* checker_ = nullptr;
  History* history_ = nullptr;  ///< of a destination on the device
  std::uint64_t address_ = 0;   ///< of the destination
  std::uint64_t source_ = 0;    ///< 0: a fill
  bool covers_ = false;
  const Allocation* to_ = nullptr;  ///< where bytes are watched; null: elsewhere
  const Allocation* from_ = nullptr;
  std::uint64_t to_begin_ = 0, from_begin_ = 0;  ///< offsets in the allocations
  InitChecker::Result result_;
};

/// Part of the check `race`, for work that runs now: the places that it has in common with unordered work of other
/// streams. Kernels are compared with them while they run.
void compare_with_streams(Runtime& runtime, const StreamWork& work);

/// Prints and keeps a finding about a call of the host. Each mistake of a line is reported once.
void report_call(Runtime& runtime, const Finding& finding);

}  // namespace cudasim
