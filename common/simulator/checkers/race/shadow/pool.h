// SPDX-License-Identifier: MIT
// Storage of the race checker: arrays on huge pages, and items that are taken and given back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace cudasim {

/// Arrays with accesses all over them are quicker on huge pages. The items begin as zero bytes.
struct UnmapArray {
  std::size_t bytes = 0;
  void operator()(void* begin) const;
};
template <class Item>
using HugeArray = std::unique_ptr<Item[], UnmapArray>;
/// Throws std::bad_alloc.
void* map_huge(std::size_t bytes);
template <class Item>
HugeArray<Item> huge_array(std::size_t count) {
  static_assert(std::is_trivially_destructible_v<Item>, "its storage is given back as it is");
  return {static_cast<Item*>(map_huge(count * sizeof(Item))), UnmapArray{count * sizeof(Item)}};
}

/// Items that are given back are used again. clear() drops all at once and keeps the storage.
template <class Item>
class Pool {
 public:
  /// Grows by 2^shift items.
  explicit Pool(std::uint32_t shift) : shift_(shift) {}
  Item& operator[](std::uint32_t i) { return chunks_[i >> shift_][i & mask()]; }
  const Item& operator[](std::uint32_t i) const { return chunks_[i >> shift_][i & mask()]; }
  std::uint32_t take() {
    if (!free_.empty()) {
      const std::uint32_t i = free_.back();
      free_.pop_back();
      return i;
    }
    if (used_ >> shift_ == chunks_.size()) chunks_.emplace_back(huge_array<Item>(std::size_t{1} << shift_));
    return used_++;
  }
  void give(std::uint32_t i) { free_.push_back(i); }
  void clear() {
    used_ = 0;
    free_.clear();
  }

 private:
  std::uint32_t mask() const { return (1u << shift_) - 1; }
  std::uint32_t shift_;
  std::vector<HugeArray<Item>> chunks_;
  std::vector<std::uint32_t> free_;
  std::uint32_t used_ = 0;
};

}  // namespace cudasim
