// SPDX-License-Identifier: MIT
// Values that nothing wrote: where they are, where they came from, and what of them reaches the host. Memory begins
// undefined (cudaMalloc, malloc in a kernel, shared and local memory); loads, stores, arithmetic and shuffles hand
// undefined values on in silence, as correct programs copy them too (the tail of a tile, the padding of a struct).
// Only a value that decides something is reported: an address, a branch, a result.
//
// Undefined are whole registers, one bit a lane, and bytes of memory, one bit each (memory/defined_bytes.h).
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
#include "isa/instruction.h"
#include "memory/memory.h"

namespace cudasim {

/// Where an undefined value was first seen: the load or the shuffle. A value that went through shared or local memory
/// keeps its origin, and so does one that a kernel finds in global memory where it has stored it itself; what another
/// kernel has stored begins anew there.
struct ValueOrigin {
  enum class Source : std::uint8_t { global, shared, local, shuffle };
  Source source = Source::global;
  bool stored = false;  ///< the memory was written, with a value computed from an undefined one
  OtherAccess load;     ///< or shuffle
  std::string kernel;   ///< of the load
  std::string memory;   ///< what was read, in words
  CallStack callers{};  ///< who allocated it
  std::string absent;   ///< of a shuffle: the lane that was read from, in words
  bool named = false;   ///< by the mask of the shuffle
  std::string late;     ///< Launch::late_kernel, of global memory
};
enum class ValueUse : std::uint8_t { address, branch, result };

FindingKind kind_of(const ValueOrigin& origin);
/// Fills in what is said of a use: kind, severity, words, origin.
void describe_use(Finding& finding, ValueUse use, const ValueOrigin& origin);

/// Origins of undefined values that were stored, by place: of as many as the words that a block's shared memory may
/// have. One that is not kept would be told as a place that nothing wrote.
class StoredOrigins {
 public:
  void put(std::uint64_t place, std::uint32_t origin) {
    if (origins_.size() < most || origins_.count(place) != 0) origins_[place] = origin;
  }
  std::uint32_t at(std::uint64_t place) const {  ///< 0: not known
    const auto found = origins_.find(place);
    return found == origins_.end() ? 0 : found->second;
  }
  void clear() { origins_.clear(); }

 private:
  static constexpr std::size_t most = 1 << 16;
  std::unordered_map<std::uint64_t, std::uint32_t> origins_;
};

/// What is undefined in a warp's registers and local memory.
struct WarpValues {
  bool any = false;                    ///< some register may be: else instructions between registers need no look
  std::vector<Mask> undefined;         ///< by slot: the lanes
  std::vector<std::uint32_t> origins;  ///< by slot, of the last undefined value; empty until there is one
  std::vector<std::uint64_t> local;    ///< written bytes, lane after lane
  std::size_t words_per_lane = 0;
  Mask operands = 0;  ///< undefined lanes of the warp-wide operation that is being gathered
  std::uint32_t operand_origin = 0;

  static std::size_t index(std::uint32_t frame, std::uint32_t slot) { return (frame + slot) / 64; }
  Mask& lanes(std::uint32_t frame, std::uint32_t slot) { return undefined[index(frame, slot)]; }
  std::uint32_t origin(std::uint32_t frame, std::uint32_t slot) const {
    return origins.empty() ? 0 : origins[index(frame, slot)];
  }
  /// The lanes of `mask` take the value of an instruction; those in `lanes_undefined` are undefined.
  void write(std::uint32_t frame, std::uint32_t slot, Mask mask, Mask lanes_undefined, std::uint32_t origin);
  std::uint64_t* local_of(unsigned lane) { return local.data() + lane * words_per_lane; }
};

/// What the checker keeps for a block under way.
struct BlockValues {
  std::vector<WarpValues> warps;
  std::vector<std::uint64_t> shared;  ///< written bytes
  StoredOrigins stored;               ///< in shared and local memory
};

class InitChecker {
 public:
  /// The number of an origin, from 1 on; equal places of equal kernels have one number.
  std::uint32_t add(const ValueOrigin& origin);
  ValueOrigin origin(std::uint32_t number) const;

  /// An instruction that stores undefined values to global memory. `finding`: what to say when one reaches the host.
  std::uint32_t add_store(const Finding& finding, std::uint32_t origin);
  struct Thread {
    std::array<std::uint32_t, 3> block{}, thread{};
  };
  /// `count` elements at `addresses` were stored by `threads`.
  void stored(std::uint32_t store, const std::uint64_t* addresses, const Thread* threads, unsigned count);
  struct StoredOrigin {
    std::uint32_t number = 0;  ///< 0: not known
    bool by_this_kernel = false;
  };
  StoredOrigin origin_of_stored(std::uint64_t address, const std::string& kernel) const;

  /// A copy to the host, row by row.
  struct Result {
    std::uint64_t bytes = 0, unwritten = 0;              ///< copied; of those undefined that no kernel stored
    std::uint64_t first = 0;                             ///< address of the first unwritten byte that counts
    std::uint64_t longest = 0;                           ///< run of unwritten bytes
    Gaps gaps;                                           ///< runs of at least a word
    std::map<std::uint32_t, std::uint64_t> by_store;     ///< elements that a kernel stored undefined
    std::map<std::uint32_t, std::uint64_t> store_place;  ///< the first of them
  };
  void look_at_row(Result& result, const Allocation& allocation, std::uint64_t offset, std::uint64_t bytes) const;
  /// `late`: a kernel that may be to write it and had not run, as Launch::late_kernel; or "".
  std::vector<Finding> findings_of(const Result& result, const Allocation& allocation, const char* call,
                                   const std::string& late) const;

 private:
  struct Stored {
    std::uint64_t address = ~0ull;
    std::uint32_t store = 0;
    Thread thread;
  };
  struct Store {
    Finding finding;
    std::uint32_t origin = 0;
  };
  static constexpr unsigned stored_bits = 16;
  const Stored* find_stored(std::uint64_t address) const;

  mutable std::mutex mutex_;  // several workers run blocks
  std::deque<ValueOrigin> origins_;
  std::map<std::string, std::uint32_t> origin_numbers_;
  std::deque<Store> stores_;
  std::map<std::string, std::uint32_t> store_numbers_;
  std::vector<Stored> stored_;  // by hash of the address; newer ones push out older ones
};

}  // namespace cudasim
