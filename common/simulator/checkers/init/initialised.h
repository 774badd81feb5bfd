// SPDX-License-Identifier: MIT
// Undefined values, which nothing wrote (Valgrind's Memcheck: V bits): where they are, their origin, and which of them
// reach the host. Memory begins undefined: cudaMalloc, malloc in a kernel, shared and local memory. Loads, stores,
// arithmetic and shuffles pass undefined values on without a finding. Correct programs copy them too: the tail of a
// tile, the padding of a struct. The checker reports a value only when it decides something: an address, a branch, a
// result.
//
// A register is undefined as a whole, with one bit a lane. Memory has one bit for each byte (memory/defined_bytes.h).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/finding.h"
#include "checkers/init/gaps.h"
#include "checkers/init/stored_values.h"
#include "isa/instruction.h"
#include "memory/memory.h"

namespace cudasim {

/// The origin of an undefined value: the load or the shuffle that first gave it. A value keeps its origin through
/// shared and local memory. It also keeps it in global memory that the same kernel has stored. A value from another
/// kernel gets a new origin at its load.
struct ValueOrigin {
  enum class Source : std::uint8_t { global, shared, local, shuffle };
  Source source = Source::global;
  bool stored = false;  ///< The memory was written, with a value computed from an undefined one.
  OtherAccess load;     ///< The load or shuffle.
  std::string kernel;   ///< The kernel of the load.
  std::string memory;   ///< What was read, in words.
  CallStack callers{};  ///< The call that allocated it.
  std::string absent;   ///< For a shuffle: the lane that was read from, in words.
  bool named = false;   ///< By the mask of the shuffle.
  std::string late;     ///< Launch::late_kernel, of global memory.
};
enum class ValueUse : std::uint8_t { address, branch, result };

FindingKind kind_of(const ValueOrigin& origin);
/// Fills in what the finding says about a use: kind, severity, words, origin.
void describe_use(Finding& finding, ValueUse use, const ValueOrigin& origin);

/// Origins of undefined values that were stored, by place. In local memory there is room for as many as a block's
/// shared memory has words. A value whose origin is not kept is reported as a place that nothing wrote.
class StoredOrigins {
 public:
  explicit StoredOrigins(std::uint32_t shared_bytes) : shared_bytes_(shared_bytes) {}
  /// `place`: an offset in shared memory, or a key above it.
  void put(std::uint64_t place, std::uint32_t origin) {
    if (place < shared_bytes_) {
      if (shared_.empty()) shared_.resize(shared_bytes_);
      shared_[place] = {block_, origin};
    } else if (others_.size() < kMost || others_.count(place) != 0) {
      others_[place] = origin;
    }
  }
  std::uint32_t at(std::uint64_t place) const {  ///< 0: not known
    if (place < shared_bytes_) return !shared_.empty() && shared_[place].block == block_ ? shared_[place].origin : 0;
    const auto found = others_.find(place);
    return found == others_.end() ? 0 : found->second;
  }
  /// For the next block.
  void clear() {
    ++block_;
    others_.clear();
  }

 private:
  static constexpr std::size_t kMost = 1 << 16;
  struct InShared {
    std::uint64_t block = 0;
    std::uint32_t origin = 0;
  };
  std::uint32_t shared_bytes_;
  std::uint64_t block_ = 1;       // the number of the block that runs: what earlier ones left counts as not there
  std::vector<InShared> shared_;  // by byte; empty until there is one
  std::unordered_map<std::uint64_t, std::uint32_t> others_;
};

/// The undefined registers and local memory of a warp.
struct WarpValues {
  bool any = false;             ///< Some register may be undefined: else instructions between registers need no check.
  std::vector<Mask> undefined;  ///< By slot: the lanes.
  std::vector<std::uint32_t> origins;  ///< By slot: origin of the last undefined value; empty until there is one.
  std::vector<std::uint64_t> local;    ///< Written bytes, lane after lane.
  std::size_t words_per_lane = 0;
  Mask operands = 0;  ///< undefined lanes of the warp-wide operation that is being gathered
  std::uint32_t operand_origin = 0;

  static std::size_t index(std::uint32_t frame, std::uint32_t slot) { return (frame + slot) / 64; }
  Mask& lanes(std::uint32_t frame, std::uint32_t slot) { return undefined[index(frame, slot)]; }
  std::uint32_t origin(std::uint32_t frame, std::uint32_t slot) const {
    return origins.empty() ? 0 : origins[index(frame, slot)];
  }
  /// The lanes of `mask` take the value of an instruction; those in `lanes_undefined` are undefined.
  void write(std::uint32_t frame, std::uint32_t slot, Mask mask, Mask lanes_undefined, std::uint32_t origin) {
    if (slot == 0) return;  // the sink
    Mask& now = lanes(frame, slot);
    now = (now & ~mask) | (lanes_undefined & mask);
    if ((lanes_undefined & mask) == 0) return;
    any = true;
    if (origins.empty()) origins.resize(undefined.size());
    origins[index(frame, slot)] = origin;
  }
  std::uint64_t* local_of(unsigned lane) { return local.data() + lane * words_per_lane; }
};

/// The checker's state of a block that runs.
struct BlockValues {
  explicit BlockValues(std::uint32_t shared_bytes) : stored(shared_bytes) {}
  std::vector<WarpValues> warps;
  std::vector<std::uint64_t> shared;  ///< written bytes
  StoredOrigins stored;               ///< in shared and local memory
};

class InitChecker {
 public:
  /// The number of an origin, from 1. Equal places of equal kernels have one number.
  std::uint32_t add(const ValueOrigin& origin);
  ValueOrigin origin(std::uint32_t number) const;

  /// An instruction that stores undefined values to global memory. `finding`: the report when one reaches the host.
  std::uint32_t add_store(const Finding& finding, std::uint32_t origin);
  /// `count` elements at `addresses` were stored by `threads`.
  void stored(std::uint32_t store, const std::uint64_t* addresses, const StoredValues::Thread* threads, unsigned count);
  void stored_lines(std::uint32_t store, std::uint64_t address, const StoredValues::WholeWarp& by);
  struct StoredOrigin {
    std::uint32_t number = 0;  ///< 0: not known
    bool by_this_kernel = false;
  };
  StoredOrigin origin_of_stored(std::uint64_t address, const std::string& kernel) const;

  /// A copy to the host, row by row.
  struct Result {
    std::uint64_t bytes = 0, unwritten = 0;  ///< Copied; among the undefined ones: those that no kernel stored.
    std::uint64_t first = 0;                 ///< Address of the first unwritten byte that counts.
    std::uint64_t longest = 0;               ///< Run of unwritten bytes.
    Gaps gaps;                               ///< Runs of at least a word.
    std::map<std::uint32_t, std::uint64_t> by_store;     ///< Elements that a kernel stored undefined.
    std::map<std::uint32_t, std::uint64_t> store_place;  ///< The first of them.
  };
  void look_at_row(Result& result, const Allocation& allocation, std::uint64_t offset, std::uint64_t bytes) const;
  /// The host's call that read the memory, in words.
  struct Reader {
    std::string call;
    const char* reads = "copies it to the host";
    const char* read_bytes = "copies to the host";
  };
  /// `late`: a kernel that may write it and has not run, as Launch::late_kernel; or "".
  std::vector<Finding> findings_of(const Result& result, const Allocation& allocation, const Reader& reader,
                                   const std::string& late) const;

 private:
  struct Store {
    Finding finding;
    std::uint32_t origin = 0;
  };

  mutable std::mutex mutex_;  // several workers run blocks
  std::deque<ValueOrigin> origins_;
  std::map<std::string, std::uint32_t> origin_numbers_;
  std::deque<Store> stores_;
  std::map<std::string, std::uint32_t> store_numbers_;
  StoredValues stored_;
};

}  // namespace cudasim
