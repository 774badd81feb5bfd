// SPDX-License-Identifier: MIT
// Loads and stores in which each lane has an address of its own: the bounds are tested once for all lanes, then the
// elements are moved without further questions. Whatever is not in order is left to the long way (access.cpp), which
// goes lane by lane and knows how to say what is wrong.
#include <cstring>

#include "machine/interpreter.h"

namespace cudasim {
namespace {

using Space = ptx::Space;

template <class Body>
void for_lanes(Mask mask, Body body) {
  if (mask == ~0u) {
    for (unsigned lane = 0; lane < warp_size; ++lane) body(lane);
  } else {
    for (Mask m = mask; m != 0; m &= m - 1) body(static_cast<unsigned>(__builtin_ctz(m)));
  }
}

template <class Word>
void copy_word(std::byte* to, const std::byte* from) {
  Word word;
  std::memcpy(&word, from, sizeof word);
  std::memcpy(to, &word, sizeof word);
}

/// One element of every lane, at `at(lane)` in memory.
template <class Word, class At>
void move_words(bool is_store, std::byte* slot, At at, Mask mask) {
  if (is_store) {
    for_lanes(mask, [=](unsigned lane) { copy_word<Word>(at(lane), slot + sizeof(Word) * lane); });
  } else {
    for_lanes(mask, [=](unsigned lane) { copy_word<Word>(slot + sizeof(Word) * lane, at(lane)); });
  }
}

}  // namespace

std::byte* Interpreter::resolve_span(const Block& block, const Warp& warp, const MicroOp& op, Space space,
                                     std::uint64_t least, std::uint64_t end, bool is_store) {
  if (end < least) return nullptr;  // past the last address
  switch (space) {
    case Space::shared:
      return grid_.is_shared(least, end - least) ? block.shared + least : nullptr;
    case Space::local:
      return end <= local_bytes_ ? warp.local + least : nullptr;
    case Space::global:
    case Space::constant: {
      const Allocation* allocation = allocation_for(op.counter, least);
      if (allocation == nullptr || allocation->host == nullptr || (is_store && allocation->read_only)) return nullptr;
      const std::uint64_t offset = least - allocation->address;
      return end - least <= allocation->size_bytes - offset ? allocation->host + offset : nullptr;
    }
    default:
      return nullptr;
  }
}

void Interpreter::count_pattern(const MicroOp& op, const MemoryAccess& access, Space space, const Lanes& lanes,
                                const Span& span, Mask mask, bool as_before) {
  if (!is_counted(access, space)) return;
  Pattern& pattern = patterns_[op.counter % patterns_.size()];
  const auto phase = static_cast<std::uint32_t>(span.least % (space == Space::global ? 32 : 4));
  if (pattern.counter != op.counter || pattern.mask != mask || pattern.space != space || pattern.phase != phase ||
      (!as_before && std::memcmp(pattern.offset, span.offset, sizeof span.offset) != 0)) {
    pattern.counter = op.counter;
    pattern.space = space;
    pattern.phase = phase;
    pattern.mask = mask;
    std::memcpy(pattern.offset, span.offset, sizeof span.offset);
    if (as_before) {  // `lanes` is not there
      Lanes all;
      for (unsigned lane = 0; lane < warp_size; ++lane) all.address[lane] = span.least + span.offset[lane];
      pattern.passes = passes(access, space, all, mask);
    } else {
      pattern.passes = passes(access, space, lanes, mask);
    }
  }
  count(op, access, space, pattern.passes);
}

bool Interpreter::access_at_once(const Block& block, const Warp& warp, const Fragment& fragment, const MicroOp& op,
                                 const MemoryAccess& access, const Lanes& lanes, const Span& span, Mask mask,
                                 bool as_before) {
  const std::uint32_t bytes = std::uint32_t{access.bytes} * access.count;
  if ((bytes & (bytes - 1)) != 0 || (span.bits & (bytes - 1)) != 0 || span.most - span.least > ~0u) return false;
  Space space = access.space;
  std::uint64_t window = 0;
  if (space == Space::generic) {
    if (window_of(span.least) != window_of(span.most)) return false;
    space = space_of_address(span.least);
    window = window_base(space);
  }
  std::byte* memory =
      resolve_span(block, warp, op, space, span.least - window, span.most - window + bytes, access.is_store);
  if (memory == nullptr) return false;
  const std::size_t stride = space == Space::local ? local_bytes_ : 0;
  for (unsigned i = 0; i < access.count; ++i) {
    const auto& data = access.data[i];
    std::byte* slot = warp.frames + fragment.frame + data.slot;
    std::byte* element = memory + i * access.bytes;
    auto at = [=, &span](unsigned lane) { return element + span.offset[lane] + lane * stride; };
    if (access.bytes == 4 && !data.wide && !data.sink) {
      move_words<std::uint32_t>(access.is_store, slot, at, mask);
    } else if (access.bytes == 8 && data.wide && !data.sink) {
      move_words<std::uint64_t>(access.is_store, slot, at, mask);
    } else {
      for_lanes(mask, [&](unsigned lane) { move_element(at(lane), slot, lane, access, data); });
    }
  }
  count_pattern(op, access, space, lanes, span, mask, as_before);
  return true;
}

}  // namespace cudasim
