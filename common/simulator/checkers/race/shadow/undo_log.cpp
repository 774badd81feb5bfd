// SPDX-License-Identifier: MIT
#include "checkers/race/shadow/undo_log.h"

#include <algorithm>
#include <cstring>
#include <thread>

namespace cudasim {

void KeptLines::begin_launch(const Memory& memory) {
  ++launch_;
  for (auto it = tables_.begin(); it != tables_.end();) {
    const Allocation* allocation = memory.find(it->second.address);
    const bool gone = allocation == nullptr || allocation->host == nullptr || allocation->id != it->first;
    it = gone ? tables_.erase(it) : ++it;
  }
}

std::uint32_t* KeptLines::of(const Allocation& allocation) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Table& table = tables_[allocation.id];
  if (table.lines == nullptr) {
    table.address = allocation.address;
    const std::uint64_t last = allocation.address + allocation.size_bytes - 1;
    table.lines = huge_array<std::uint32_t>(last / kLineBytes - allocation.address / kLineBytes + 1);
  }
  return table.lines.get();
}

void UndoLog::begin_launch() {
  lines_.clear();
  values_.clear();
  count_ = 0;
}

/// The first and the last line of an allocation may be shorter.
UndoLog::Stretch UndoLog::stretch_of(const Allocation& allocation, std::uint64_t line) {
  const std::uint64_t at = (allocation.address / KeptLines::kLineBytes + line) * KeptLines::kLineBytes;
  const std::uint64_t begin = std::max(at, allocation.address);
  const std::uint64_t end = std::min(at + KeptLines::kLineBytes, allocation.address + allocation.size_bytes);
  return {begin - allocation.address, end - begin};
}

void UndoLog::keep(const Allocation& allocation, std::uint32_t* table, std::uint64_t address) {
  if (address >= allocation.address + allocation.size_bytes) return;  // by an access that runs over the end, and faults
  const std::uint64_t number = address / KeptLines::kLineBytes - allocation.address / KeptLines::kLineBytes;
  std::uint32_t& state = table[number];
  std::uint32_t known = __atomic_load_n(&state, __ATOMIC_ACQUIRE);
  if (known == kept_.kept()) return;
  // Takes the storage first, because there may be none left: the line has no owner yet.
  const std::uint32_t index = lines_.take(), values = values_.take();
  if (known == kept_.writing() ||
      !__atomic_compare_exchange_n(&state, &known, kept_.writing(), false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
    lines_.give(index);
    values_.give(values);
    while (__atomic_load_n(&state, __ATOMIC_ACQUIRE) != kept_.kept()) std::this_thread::yield();
    return;
  }
  const auto [offset, bytes] = stretch_of(allocation, number);
  const std::byte* const from = allocation.host + offset;
  const std::uint64_t* const written = allocation.written.get();
  const bool all_written = written == nullptr || written::all(written, offset, bytes);
  const bool same_bits = all_written || written::none(written, offset, bytes);
  Line& line = lines_[index];
  line = {&allocation, static_cast<std::uint32_t>(number), values};
  if (same_bits && std::memcmp(from, from + 1, bytes - 1) == 0) {
    line.values = Line::kUniform | (all_written ? Line::kUniformWritten : 0) | std::to_integer<std::uint32_t>(from[0]);
    values_.give(values);
  } else {
    std::memcpy(values_[values].bytes.data(), from, bytes);
    if (written != nullptr) written::copy(values_[values].written.data(), 0, written, offset, bytes);
  }
  ++count_;
  __atomic_store_n(&state, kept_.kept(), __ATOMIC_RELEASE);
}

void UndoLog::roll_back() const {
  for (std::uint32_t i = 0; i < count_; ++i) {
    const Line& line = lines_[i];
    const auto [offset, bytes] = stretch_of(*line.allocation, line.line);
    std::byte* const to = line.allocation->host + offset;
    std::uint64_t* const written = line.allocation->written.get();
    if ((line.values & Line::kUniform) != 0) {
      std::memset(to, static_cast<int>(line.values & 0xff), bytes);
      if (written != nullptr)
        ((line.values & Line::kUniformWritten) != 0 ? written::set : written::clear)(written, offset, bytes);
    } else {
      std::memcpy(to, values_[line.values].bytes.data(), bytes);
      if (written != nullptr) written::copy(written, offset, values_[line.values].written.data(), 0, bytes);
    }
  }
}

}  // namespace cudasim
