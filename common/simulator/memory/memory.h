// SPDX-License-Identifier: MIT
// The memory that a device sees: allocations with guard gaps between them. No address is used twice before the reserved
// window is full.
//
// A device address is never a host address: a host program that dereferences one faults, as with a GPU. The exception
// is memory that the host shares with the device. Pinned, managed and registered memory has one address for both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/finding.h"
#include "memory/defined_bytes.h"

namespace cudasim {

enum class Origin : std::uint8_t {
  cuda_malloc,
  cuda_malloc_host,
  managed,
  host_registered,
  variable,
  constant,
  kernel_heap,
  internal
};

struct Allocation {
  std::uint64_t address = 0;     ///< what the device calls its first byte
  std::uint64_t size_bytes = 0;  ///< as asked for, not rounded
  std::byte* host = nullptr;     ///< the same byte in this process; nullptr once freed
  Origin origin = Origin::cuda_malloc;
  std::uint64_t id = 0;    ///< 1 for the first allocation of the program, 2 for the next, ...
  std::string name;        ///< A variable's name.
  bool read_only = false;  ///< For kernels: __constant__.
  CallStack callers{};     ///< The call that allocated it.
  WrittenBits written;     ///< Which bytes hold a defined value; null: not watched, or the host may write any time.
  WrittenBits loaded;      ///< Which bytes kernels have loaded, or a copy on the device has read; null: not watched.
  WrittenBits stored;      ///< Which bytes a kernel was the last to write; null: as above.
  bool contains(std::uint64_t a) const { return a - address < size_bytes; }
};

/// What kernels have done with an allocation, in bytes.
struct Coverage {
  std::uint64_t address = 0, bytes = 0;
  std::uint64_t loaded = 0, stored = 0;
};

/// Not thread-safe for changes: allocate and free only between launches, or under the caller's lock. Look-ups are safe
/// from any thread while nothing changes.
class Memory {
 public:
  /// `capacity_bytes`: what cudaMemGetInfo calls total. The host gives the pages of an allocation when they are
  /// touched.
  /// `poison`: what each byte holds before its first write.
  explicit Memory(std::uint64_t capacity_bytes, std::byte poison = std::byte{0xFF});
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// From now on, new allocations track which of their bytes are written.
  void watch_writes() { watches_writes_ = true; }
  /// The same for what kernels load and store (checkers/history/coverage_watch.cpp marks it).
  void watch_coverage() { watches_coverage_ = true; }
  /// Of the first 1000 allocations that were watched: the freed ones, then those that live.
  std::vector<Coverage> coverage() const;

  /// nullptr when `size_bytes` exceeds what is free, or is 0. The address is a multiple of 256 (and of `alignment`).
  /// New memory of cudaMalloc and of a kernel's malloc is filled with the poison byte, so that a read before the first
  /// write shows. It is 0xFF by default, a NaN in every float type.
  const Allocation* allocate(std::uint64_t size_bytes, Origin origin, const std::string& name = "",
                             std::uint64_t alignment = 256, const CallStack& callers = {});
  /// Makes host memory reachable at its own address. nullptr when it overlaps an allocation.
  const Allocation* register_host(void* pointer, std::uint64_t size_bytes, Origin origin);
  /// False when no live allocation begins at `address`. Registered memory leaves the table, as it is the host's again.
  /// The last 16384 other allocations stay known as freed.
  bool release(std::uint64_t address);
  /// Releases all that lives. Its addresses stay known as freed, as above.
  void release_all();
  /// How many allocations have left the table. A caller that keeps a pointer to one must look it up again when this
  /// grows.
  std::uint64_t forgotten() const { return forgotten_; }

  /// The allocation, live or freed, that holds `address`; nullptr if there is none.
  const Allocation* find(std::uint64_t address) const;
  /// The live or freed allocation nearest below `address`, nullptr if none: for "17 bytes past the end of ...".
  const Allocation* nearest_below(std::uint64_t address) const;
  const Allocation* nearest_above(std::uint64_t address) const;
  /// The bytes behind [address, address + size_bytes); nullptr unless they lie in one live allocation.
  std::byte* resolve(std::uint64_t address, std::uint64_t size_bytes) const;

  /// Whether the host's address is one that only allocations of this memory can have.
  bool is_reserved(std::uint64_t address) const;

  std::vector<const Allocation*> live() const;  ///< by address
  bool host_may_write() const;                  ///< into some of it, at any time
  /// Managed and pinned memory that lives. Its pages hold nothing else.
  std::vector<const Allocation*> shared_with_host() const;
  /// Grows with each allocation and release of memory that the host shares.
  std::uint64_t shared_changes() const { return shared_changes_; }

  std::byte poison() const { return poison_; }
  std::uint64_t capacity_bytes() const { return capacity_bytes_; }
  std::uint64_t used_bytes() const { return used_bytes_; }
  std::uint64_t heap_bytes() const { return heap_bytes_; }  ///< of malloc() in kernels, in use

  /// Why the last allocate() returned null.
  enum class Shortage : std::uint8_t {
    capacity,   ///< The device, or the host for its own memory, has not so many bytes left.
    addresses,  ///< The window has not so many addresses in a row left.
    mappings,   ///< The host's system maps no more memory.
  };
  Shortage shortage() const { return shortage_; }
  std::uint64_t window_bytes() const { return window_bytes_; }

 private:
  std::uint64_t capacity_bytes_;
  std::byte poison_;
  std::uint64_t used_bytes_ = 0;
  bool watches_writes_ = false, watches_coverage_ = false;
  std::vector<Coverage> covered_;  // of freed allocations
  std::byte* window_ = nullptr;    // reserved address space, inaccessible where nothing is allocated
  std::uint64_t window_bytes_ = 0;
  std::uint64_t next_offset_ = 0;
  std::uint64_t gap_end_ = 0;  // up to here nothing that lives follows `next_offset_`
  std::uint64_t heap_bytes_ = 0;
  std::size_t shared_count_ = 0;  // of live allocations that the host shares
  std::uint64_t shared_changes_ = 0;
  Shortage shortage_ = Shortage::capacity;
  std::uint64_t next_id_ = 1;
  std::uint64_t forgotten_ = 0;
  std::map<std::uint64_t, std::unique_ptr<Allocation>> allocations_;  // by address; freed ones stay, to name them
  std::deque<std::uint64_t> freed_;  // addresses of freed allocations, oldest first; the oldest are forgotten in time

  Allocation* add(std::uint64_t address, std::uint64_t size_bytes, std::byte* host, Origin origin,
                  const std::string& name);
  bool overlaps(std::uint64_t begin, std::uint64_t end) const;
  std::uint64_t offset_of(const Allocation& allocation) const;
  bool find_gap(std::uint64_t bytes, std::uint64_t unit);
  void forget_freed(std::uint64_t begin, std::uint64_t end);
};

}  // namespace cudasim
