// SPDX-License-Identifier: MIT
// Device memory from one reserved window of address space. An allocation is a run of accessible pages, followed by an
// inaccessible guard gap. A freed allocation gives its pages back. Its addresses are used again when the window is
// full, from the lowest ones on.
#include "memory/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "base/next_multiple.h"

namespace cudasim {
namespace {

/// Device addresses of memory that the host does not share. They are not canonical on x86-64, and outside the user
/// space of arm64, so no host mapping can have one. They lie above the windows of generic addresses
/// (program/program.h).
constexpr std::uint64_t kDeviceBase = 0x0070'0000'0000'0000;

constexpr std::uint64_t kLargestWindowBytes = std::uint64_t{1} << 44;   // 16 TiB
constexpr std::uint64_t kSmallestWindowBytes = std::uint64_t{1} << 28;  // below this nothing useful fits
constexpr std::uint64_t kGuardBytes = std::uint64_t{64} << 10;
constexpr std::uint64_t kHugePageBytes = std::uint64_t{2} << 20;
constexpr std::size_t kMostCovered = 1000;
constexpr std::size_t kRememberedFrees = 16384;  // bounds the table of a program that allocates in a loop

std::uint64_t page_bytes() {
  static const auto bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::uint64_t host_memory_bytes() { return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * page_bytes(); }

/// Memory that lies on the host. The device uses its host address, and it takes nothing of the device's capacity.
bool is_shared_with_host(Origin origin) {
  switch (origin) {
    case Origin::cuda_malloc_host:
    case Origin::managed:
    case Origin::host_registered:
      return true;
    case Origin::cuda_malloc:
    case Origin::variable:
    case Origin::constant:
    case Origin::kernel_heap:
    case Origin::internal:
      return false;
  }
  return false;
}

/// Memory that only kernels and CUDA's own calls can write.
bool is_watched(Origin origin) {
  return origin == Origin::cuda_malloc || origin == Origin::kernel_heap || origin == Origin::variable;
}

Coverage coverage_of(const Allocation& allocation) {
  return {allocation.address, allocation.size_bytes, written::count(allocation.loaded.get(), allocation.size_bytes),
          written::count(allocation.stored.get(), allocation.size_bytes)};
}

std::uint64_t address_of(const std::byte* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

}  // namespace

Memory::Memory(std::uint64_t capacity_bytes, std::byte poison) : capacity_bytes_(capacity_bytes), poison_(poison) {
  for (std::uint64_t bytes = kLargestWindowBytes; bytes >= kSmallestWindowBytes; bytes /= 2) {
    void* window = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (window == MAP_FAILED) continue;
    // The placement begins on a huge page, so that an offset is aligned as the address is.
    const std::uint64_t skipped = next_multiple(reinterpret_cast<std::uint64_t>(window), kHugePageBytes) -
                                  reinterpret_cast<std::uint64_t>(window);
    if (skipped != 0) munmap(window, skipped);
    window_ = static_cast<std::byte*>(window) + skipped;
    gap_end_ = window_bytes_ = bytes - skipped;
    return;
  }
  throw std::bad_alloc();
}

Memory::~Memory() { munmap(window_, window_bytes_); }

Allocation* Memory::add(std::uint64_t address, std::uint64_t size_bytes, std::byte* host, Origin origin,
                        const std::string& name) {
  auto allocation = std::make_unique<Allocation>();
  allocation->address = address;
  allocation->size_bytes = size_bytes;
  allocation->host = host;
  allocation->origin = origin;
  allocation->id = next_id_++;
  allocation->name = name;
  allocation->read_only = origin == Origin::constant;
  // Variables without an initialiser are zero (CUDA C++ Programming Guide, "__device__").
  if (watches_writes_ && host != nullptr && is_watched(origin)) {
    allocation->written = written::make(size_bytes);
    if (origin == Origin::variable) written::set(allocation->written.get(), 0, size_bytes);
  }
  if (watches_coverage_ && host != nullptr && is_watched(origin)) {
    allocation->loaded = written::make(size_bytes);
    allocation->stored = written::make(size_bytes);
  }
  Allocation* result = allocation.get();
  allocations_[address] = std::move(allocation);
  if (is_shared_with_host(origin)) {
    ++shared_count_, ++shared_changes_;
  } else {
    used_bytes_ += size_bytes;
  }
  if (origin == Origin::kernel_heap) heap_bytes_ += size_bytes;
  return result;
}

const Allocation* Memory::allocate(std::uint64_t size_bytes, Origin origin, const std::string& name,
                                   std::uint64_t alignment, const CallStack& callers) {
  const std::uint64_t free_bytes = is_shared_with_host(origin) ? host_memory_bytes() : capacity_bytes_ - used_bytes_;
  shortage_ = Shortage::capacity;
  if (size_bytes == 0 || size_bytes > free_bytes) return nullptr;

  // Large allocations begin on a huge page: first touch and look-up of addresses are both several times cheaper.
  const bool huge = size_bytes >= 2 * kHugePageBytes;
  const std::uint64_t unit = std::max({alignment, page_bytes(), huge ? kHugePageBytes : std::uint64_t{1}});
  shortage_ = Shortage::addresses;
  if (size_bytes > window_bytes_) return nullptr;
  const std::uint64_t committed_bytes = next_multiple(size_bytes, page_bytes());
  if (!find_gap(committed_bytes + kGuardBytes, unit)) return nullptr;
  const std::uint64_t offset = next_multiple(next_offset_, unit);

  shortage_ = Shortage::mappings;
  std::byte* host = window_ + offset;
  if (mprotect(host, committed_bytes, PROT_READ | PROT_WRITE) != 0) return nullptr;
  forget_freed(offset, offset + committed_bytes + kGuardBytes);
  if (huge) madvise(host, committed_bytes, MADV_HUGEPAGE);  // advice only: a failure costs time, nothing else
  next_offset_ = offset + committed_bytes + kGuardBytes;

  if (origin == Origin::cuda_malloc || origin == Origin::kernel_heap)
    std::memset(host, std::to_integer<int>(poison_), size_bytes);
  const std::uint64_t address = is_shared_with_host(origin) ? address_of(host) : kDeviceBase + offset;
  Allocation* allocation = add(address, size_bytes, host, origin, name);
  allocation->callers = callers;
  return allocation;
}

/// How far the allocation lies behind the begin of the window.
std::uint64_t Memory::offset_of(const Allocation& allocation) const {
  return is_shared_with_host(allocation.origin) ? allocation.address - address_of(window_)
                                                : allocation.address - kDeviceBase;
}

/// Sets `next_offset_` to a place where so many bytes fit; false where there is none. It tries the present place, then
/// the next gap between live allocations. Behind the last one it goes on at the begin of the window.
bool Memory::find_gap(std::uint64_t bytes, std::uint64_t unit) {
  const auto fits = [&](std::uint64_t begin, std::uint64_t end) {
    const std::uint64_t offset = next_multiple(begin, unit);
    return offset <= end && bytes <= end - offset;
  };
  if (fits(next_offset_, gap_end_)) return true;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> used;  // begins and ends, with the gap behind each
  for (const auto& [address, allocation] : allocations_) {
    if (allocation->host == nullptr || allocation->origin == Origin::host_registered) continue;
    const std::uint64_t begin = offset_of(*allocation);
    used.emplace_back(begin, begin + next_multiple(allocation->size_bytes, page_bytes()) + kGuardBytes);
  }
  used.emplace_back(window_bytes_, window_bytes_);
  std::sort(used.begin(), used.end());
  for (const std::uint64_t from : {next_offset_, std::uint64_t{0}}) {
    std::uint64_t begin = 0;
    for (const auto& [next, end] : used) {
      if (next >= from && fits(std::max(begin, from), next)) {
        next_offset_ = std::max(begin, from);
        gap_end_ = next;
        return true;
      }
      begin = std::max(begin, end);
    }
  }
  return false;
}

/// Removes freed allocations between these offsets of the window from the table, as their addresses are used again.
void Memory::forget_freed(std::uint64_t begin, std::uint64_t end) {
  for (const std::uint64_t base : {kDeviceBase, address_of(window_)}) {
    auto it = allocations_.upper_bound(base + begin);
    if (it != allocations_.begin()) --it;
    while (it != allocations_.end() && it->first < base + end) {
      const Allocation& old = *it->second;
      const bool is_there = old.host == nullptr && old.address + old.size_bytes > base + begin;
      if (is_there) ++forgotten_;
      it = is_there ? allocations_.erase(it) : std::next(it);
    }
  }
}

bool Memory::overlaps(std::uint64_t begin, std::uint64_t end) const {
  const Allocation* below = nearest_below(begin);
  if (below != nullptr && below->contains(begin)) return true;
  const Allocation* above = nearest_above(begin);
  return above != nullptr && above->address < end;
}

const Allocation* Memory::register_host(void* pointer, std::uint64_t size_bytes, Origin origin) {
  auto* host = static_cast<std::byte*>(pointer);
  const std::uint64_t begin = address_of(host);
  if (host == nullptr || size_bytes == 0 || begin + size_bytes < begin || begin + size_bytes > kDeviceBase)
    return nullptr;
  if (overlaps(begin, begin + size_bytes)) return nullptr;
  return add(begin, size_bytes, host, origin, "");
}

bool Memory::release(std::uint64_t address) {
  const auto it = allocations_.find(address);
  if (it == allocations_.end() || it->second->host == nullptr) return false;
  Allocation& allocation = *it->second;
  if (allocation.origin == Origin::host_registered) {
    allocations_.erase(it);  // the program's own memory again, to use as it likes
    ++forgotten_;
    --shared_count_, ++shared_changes_;
    return true;
  }
  // A fresh inaccessible mapping gives the pages back and lets the kernel merge the hole with its neighbours.
  const std::uint64_t committed_bytes = next_multiple(allocation.size_bytes, page_bytes());
  (void)mmap(allocation.host, committed_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
             0);
  if (is_shared_with_host(allocation.origin)) {
    --shared_count_, ++shared_changes_;
  } else {
    used_bytes_ -= allocation.size_bytes;
  }
  if (allocation.origin == Origin::kernel_heap) heap_bytes_ -= allocation.size_bytes;
  if (allocation.loaded != nullptr && covered_.size() < kMostCovered) covered_.push_back(coverage_of(allocation));
  allocation.host = nullptr;
  for (WrittenBits* const bits : {&allocation.written, &allocation.loaded, &allocation.stored}) bits->reset();

  freed_.push_back(address);
  if (freed_.size() > kRememberedFrees) {
    const auto oldest = allocations_.find(freed_.front());
    if (oldest != allocations_.end() && oldest->second->host == nullptr) {
      allocations_.erase(oldest);
      ++forgotten_;
    }
    freed_.pop_front();
  }
  return true;
}

void Memory::release_all() {
  for (const Allocation* allocation : live()) release(allocation->address);
}

const Allocation* Memory::nearest_below(std::uint64_t address) const {
  const auto it = allocations_.upper_bound(address);
  return it == allocations_.begin() ? nullptr : std::prev(it)->second.get();
}

const Allocation* Memory::nearest_above(std::uint64_t address) const {
  const auto it = allocations_.upper_bound(address);
  return it == allocations_.end() ? nullptr : it->second.get();
}

const Allocation* Memory::find(std::uint64_t address) const {
  const Allocation* below = nearest_below(address);
  return below != nullptr && below->contains(address) ? below : nullptr;
}

bool Memory::is_reserved(std::uint64_t address) const { return address - address_of(window_) < window_bytes_; }

std::vector<const Allocation*> Memory::live() const {
  std::vector<const Allocation*> result;
  for (const auto& [address, allocation] : allocations_) {
    if (allocation->host != nullptr) result.push_back(allocation.get());
  }
  return result;
}

std::vector<Coverage> Memory::coverage() const {
  std::vector<Coverage> all = covered_;
  for (const Allocation* allocation : live()) {
    if (allocation->loaded != nullptr && all.size() < kMostCovered) all.push_back(coverage_of(*allocation));
  }
  return all;
}

bool Memory::host_may_write() const { return shared_count_ != 0; }

std::vector<const Allocation*> Memory::shared_with_host() const {
  std::vector<const Allocation*> result;
  if (shared_count_ == 0) return result;
  for (const auto& [address, allocation] : allocations_) {
    const bool is_own = allocation->host != nullptr && allocation->origin != Origin::host_registered;
    if (is_own && is_shared_with_host(allocation->origin)) result.push_back(allocation.get());
  }
  return result;
}

std::byte* Memory::resolve(std::uint64_t address, std::uint64_t size_bytes) const {
  const Allocation* allocation = find(address);
  if (allocation == nullptr || allocation->host == nullptr) return nullptr;
  const std::uint64_t offset = address - allocation->address;
  return size_bytes <= allocation->size_bytes - offset ? allocation->host + offset : nullptr;
}

}  // namespace cudasim
