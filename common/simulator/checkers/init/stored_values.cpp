// SPDX-License-Identifier: MIT
#include "checkers/init/stored_values.h"

#include "state/grid.h"

namespace cudasim {
namespace {

/// Index into a table of 2^bits entries. Neighbours get neighbouring indices: a warp touches few lines of it.
std::size_t hash(std::uint64_t place, unsigned bits) {
  const std::uint64_t index = place ^ place << bits ^ place >> bits;
  return static_cast<std::size_t>(index & ((std::uint64_t{1} << bits) - 1));
}

}  // namespace

void StoredValues::put(std::uint32_t store, const std::uint64_t* addresses, const Thread* threads, unsigned count) {
  if (elements_.empty()) elements_.resize(std::size_t{1} << kElementBits);
  ++turns_;
  for (unsigned i = 0; i < count; ++i)
    elements_[hash(addresses[i] / 4, kElementBits)] = {addresses[i], turns_, {store, threads[i]}};
}

void StoredValues::put_lines(std::uint32_t store, std::uint64_t address, const WholeWarp& by) {
  if (lines_.empty()) lines_.resize(std::size_t{1} << kLineBits);
  ++turns_;
  for (std::uint32_t offset = 0; offset < kWarpSize * by.lane_bytes; offset += kLineBytes) {
    const std::uint64_t line = address + offset;
    lines_[hash(line / kLineBytes, kLineBits)] = {line, turns_, store, offset, by};
  }
}

std::optional<StoredValues::Entry> StoredValues::find(std::uint64_t address) const {
  const Element* element = elements_.empty() ? nullptr : &elements_[hash(address / 4, kElementBits)];
  if (element != nullptr && element->address != address) element = nullptr;
  const std::uint64_t in_line = address % kLineBytes;
  const Line* line = lines_.empty() ? nullptr : &lines_[hash(address / kLineBytes, kLineBits)];
  if (line != nullptr && (line->address != address - in_line || in_line % line->by.element_bytes != 0)) line = nullptr;
  if (line != nullptr && (element == nullptr || element->turn < line->turn)) {
    const auto lane = static_cast<unsigned>((line->offset + in_line) / line->by.lane_bytes);
    return Entry{line->store, {line->by.block, thread_index(line->by.block_size, line->by.warp, lane)}};
  }
  if (element == nullptr) return std::nullopt;
  return element->entry;
}

}  // namespace cudasim
