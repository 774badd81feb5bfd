// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace cudasim {

/// Zero bytes, for items that begin so. The host gives pages when they are touched, and most launches touch few.
struct FreeItems {
  void operator()(void* items) const { std::free(items); }
};
template <class Item>
using Zeroed = std::unique_ptr<Item[], FreeItems>;
template <class Item>
Zeroed<Item> zeroed(std::size_t count) {
  static_assert(std::is_trivially_destructible_v<Item>, "its storage is given back as it is");
  void* const items = std::calloc(count, sizeof(Item));
  if (items == nullptr) throw std::bad_alloc();
  return Zeroed<Item>(static_cast<Item*>(items));
}

}  // namespace cudasim
