// SPDX-License-Identifier: MIT
// The order in which the blocks of a grid begin, where it is not the plain one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace cudasim {

/// Blocks change places only within a window, the blocks that may be under way at the same time. A device starts blocks
/// in their order, and look-back scans (CUB's) rely on it. A block there waits for those before it, which must have a
/// place. Only one window is kept, as a grid may have 2^31 blocks. One worker asks for the blocks, in order.
class BlockOrder {
 public:
  enum class Kind : std::uint8_t { reversed, random };
  BlockOrder() = default;
  BlockOrder(std::uint64_t blocks, std::uint64_t window, Kind kind, std::uint64_t seed)
      : blocks_(blocks), window_(std::clamp<std::uint64_t>(window, 1, kLargestWindow)), kind_(kind) {
    if (kind == Kind::random) random_.emplace(seed);
  }

  bool empty() const { return blocks_ == 0; }  ///< the plain order
  std::uint64_t operator[](std::uint64_t i) {
    while (i >= begin_ + order_.size()) next_window();
    return order_[i - begin_];
  }

 private:
  static constexpr std::uint64_t kLargestWindow = 1 << 24;

  void next_window() {
    begin_ += order_.size();
    order_.resize(std::min(window_, blocks_ - begin_));
    std::iota(order_.begin(), order_.end(), begin_);
    if (kind_ == Kind::reversed) std::reverse(order_.begin(), order_.end());
    for (std::uint64_t i = order_.size(); i > 1 && random_; --i) std::swap(order_[i - 1], order_[(*random_)() % i]);
  }
  std::uint64_t blocks_ = 0, window_ = 1, begin_ = 0;
  Kind kind_ = Kind::random;
  std::optional<std::mt19937_64> random_;
  std::vector<std::uint64_t> order_;  // of the window that begins at begin_
};

}  // namespace cudasim
