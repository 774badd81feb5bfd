// SPDX-License-Identifier: MIT
#include "memory/host_touches.h"

#include <algorithm>
#include <cstring>

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

}  // namespace

std::shared_ptr<HostTouches> HostTouches::of_launch(const Memory& memory, const std::vector<std::byte>& parameters) {
  const std::vector<const Allocation*> shared = memory.shared_with_host();
  if (std::none_of(shared.begin(), shared.end(), [&](const Allocation* a) { return reaches(*a, parameters); }))
    return nullptr;
  auto touches = std::make_shared<HostTouches>();
  for (const Allocation* a : shared)
    touches->parts_.push_back(
        {a->address, a->size_bytes, written::make(a->size_bytes), written::make(a->size_bytes), 0});
  return touches;
}

void HostTouches::add(std::uint64_t address, std::uint64_t bytes, bool is_write) {
  for (const Part& part : parts_) {
    if (address - part.begin >= part.bytes) continue;
    const std::uint64_t offset = address - part.begin;
    __atomic_store_n(&part.is_touched, std::uint8_t{1}, __ATOMIC_RELAXED);
    written::set((is_write ? part.written : part.read).get(), offset, std::min(bytes, part.bytes - offset));
    return;
  }
}

void HostTouches::take(const WrittenBits& bits, const Part& part, bool is_write) {
  for (std::uint64_t at = 0; at < part.bytes && stretches_.size() < kMostStretches;) {
    const std::uint64_t begin = written::find(bits.get(), at, part.bytes, true);
    at = written::find(bits.get(), begin, part.bytes, false);
    if (begin < at) stretches_.push_back({part.begin + begin, part.begin + at, is_write});
  }
}

void HostTouches::finish() {
  for (const Part& part : parts_) {
    if (may_agree_) break;
    if (part.is_touched == 0) continue;
    take(part.written, part, true);
    take(part.read, part, false);
  }
  parts_.clear();
}

}  // namespace cudasim
