// SPDX-License-Identifier: MIT
#include "memory/host_touches.h"

#include <algorithm>
#include <cstring>
#include <functional>

namespace cudasim {
namespace {

/// The most stretches that are kept of a launch. The others are not looked at.
constexpr std::size_t kMostStretches = 4096;

bool reaches(const Allocation& allocation, const std::vector<std::byte>& parameters) {
  if (!allocation.name.empty()) return true;  // a variable, which needs no parameter
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= parameters.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, parameters.data() + at, sizeof word);
    if (allocation.contains(word)) return true;
  }
  return false;
}

/// Several workers may do so at once.
template <typename Before>
void widen(std::uint64_t& bound, std::uint64_t value, Before is_before) {
  std::uint64_t now = __atomic_load_n(&bound, __ATOMIC_RELAXED);
  while (is_before(value, now) &&
         !__atomic_compare_exchange_n(&bound, &now, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

}  // namespace

std::shared_ptr<HostTouches> HostTouches::of_launch(const Memory& memory, const std::vector<std::byte>& parameters) {
  const std::vector<const Allocation*> shared = memory.shared_with_host();
  if (std::none_of(shared.begin(), shared.end(), [&](const Allocation* a) { return reaches(*a, parameters); }))
    return nullptr;
  auto touches = std::make_shared<HostTouches>();
  for (const Allocation* a : shared)
    touches->parts_.push_back(
        {a->address, a->size_bytes, written::make(a->size_bytes), written::make(a->size_bytes), ~std::uint64_t{0}, 0});
  return touches;
}

void HostTouches::add(std::uint64_t address, std::uint64_t bytes, bool is_write) {
  for (const Part& part : parts_) {
    if (address - part.begin >= part.bytes) continue;
    const std::uint64_t offset = address - part.begin;
    const std::uint64_t end = std::min(offset + bytes, part.bytes);
    widen(part.least, offset, std::less<>());
    widen(part.end, end, std::greater<>());
    written::set((is_write ? part.written : part.read).get(), offset, end - offset);
    return;
  }
}

void HostTouches::take(const WrittenBits& bits, const Part& part, bool is_write) {
  for (std::uint64_t at = part.least; at < part.end && stretches_.size() < kMostStretches;) {
    const std::uint64_t begin = written::find(bits.get(), at, part.end, true);
    at = written::find(bits.get(), begin, part.end, false);
    if (begin < at) stretches_.push_back({part.begin + begin, part.begin + at, is_write});
  }
}

void HostTouches::finish() {
  for (const Part& part : parts_) {
    if (may_agree_) break;
    take(part.written, part, true);
    take(part.read, part, false);
  }
  parts_.clear();
}

}  // namespace cudasim
