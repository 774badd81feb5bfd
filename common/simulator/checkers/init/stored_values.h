// SPDX-License-Identifier: MIT
// Who stored the undefined values of global memory: two tables by hash, of which newer entries replace older ones. A
// warp that stores whole lines has one entry a line. Other stores have one entry an element.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "program/launch.h"

namespace cudasim {

class StoredValues {
 public:
  struct Thread {
    std::array<std::uint32_t, 3> block{}, thread{};
  };
  struct Entry {
    std::uint32_t store = 0;  ///< as InitChecker::add_store() numbers them
    Thread thread;
  };
  /// What the 32 lanes of a warp store side by side.
  struct WholeWarp {
    std::array<std::uint32_t, 3> block{};
    Dim3 block_size;
    std::uint32_t warp = 0;
    std::uint32_t lane_bytes = 0, element_bytes = 0;
  };
  static constexpr std::uint64_t kLineBytes = 128;

  bool empty() const { return elements_.empty() && lines_.empty(); }
  /// `count` elements at `addresses`.
  void put(std::uint32_t store, const std::uint64_t* addresses, const Thread* threads, unsigned count);
  /// All bytes of the warp, which are whole lines from `address` on.
  void put_lines(std::uint32_t store, std::uint64_t address, const WholeWarp& by);
  /// The last store of the element that begins at `address`.
  std::optional<Entry> find(std::uint64_t address) const;

 private:
  struct Element {
    std::uint64_t address = ~0ull, turn = 0;
    Entry entry;
  };
  struct Line {
    std::uint64_t address = ~0ull, turn = 0;
    std::uint32_t store = 0;
    std::uint32_t offset = 0;  // from the first byte of lane 0
    WholeWarp by;
  };
  static constexpr unsigned kElementBits = 16, kLineBits = 13;
  std::vector<Element> elements_;
  std::vector<Line> lines_;
  std::uint64_t turns_ = 0;
};

}  // namespace cudasim
