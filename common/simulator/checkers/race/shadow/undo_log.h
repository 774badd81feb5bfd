// SPDX-License-Identifier: MIT
// The undo log: what the stores of a launch overwrite in global memory, so that it can be restored. It keeps lines of
// 128 bytes. The worker that is the first to write to a line keeps it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "checkers/race/shadow/race_checker.h"
#include "memory/memory.h"

namespace cudasim {

/// Which lines are kept. The workers of a launch share it.
class KeptLines {
 public:
  static constexpr std::uint64_t kLineBytes = 128;
  /// A word for each line of an allocation: `writing()` while a worker keeps it, `kept()` from then on.
  std::uint32_t* of(const Allocation& allocation);
  std::uint32_t writing() const { return 2 * launch_; }
  std::uint32_t kept() const { return 2 * launch_ + 1; }
  /// Another launch, without any kept lines.
  void begin_launch(const Memory& memory);

 private:
  struct Table {
    std::uint64_t address = 0;  ///< of the allocation
    HugeArray<std::uint32_t> lines;
  };
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, Table> tables_;  // by allocation
  std::uint32_t launch_ = 0;
};

/// The lines that one worker keeps.
class UndoLog {
 public:
  explicit UndoLog(KeptLines& kept) : kept_(kept) {}
  void begin_launch();
  std::uint32_t* table_of(const Allocation& allocation) { return kept_.of(allocation); }
  /// Comes before this worker's first write to the line that holds `address`. `table`: of its allocation.
  void keep(const Allocation& allocation, std::uint32_t* table, std::uint64_t address);
  /// Restores what the lines held. Call it when no worker writes any more.
  void roll_back() const;

 private:
  /// The first overwritten memory is mostly a new array with one value in all bytes.
  struct Line {
    const Allocation* allocation;
    std::uint32_t line;    ///< of the allocation
    std::uint32_t values;  ///< index; or `kUniform`, with the value of all bytes, and `kUniformWritten`
    static constexpr std::uint32_t kUniform = 1u << 31, kUniformWritten = 1u << 8;
  };
  struct Values {
    std::array<std::byte, KeptLines::kLineBytes> bytes;
    std::array<std::uint64_t, KeptLines::kLineBytes / 64> written;  ///< see Allocation::written
  };
  struct Stretch {
    std::uint64_t offset, bytes;  ///< of the allocation's
  };
  static Stretch stretch_of(const Allocation& allocation, std::uint64_t line);
  KeptLines& kept_;
  Pool<Line> lines_{17};  // chunks of at least a huge page
  Pool<Values> values_{14};
  std::uint32_t count_ = 0;
};

}  // namespace cudasim
