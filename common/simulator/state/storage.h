// SPDX-License-Identifier: MIT
// Storage of blocks, kept from one launch to the next.
#pragma once

#include <cstddef>
#include <memory>

namespace cudasim {

/// Bytes of a block. A later block that needs about as many takes them over, in this launch or another one. New bytes
/// come from the host page by page, which takes longer than many a block.
struct GiveBack {
  std::size_t bytes = 0;
  void operator()(std::byte* storage) const;
};
using Storage = std::unique_ptr<std::byte, GiveBack>;
Storage take_storage(std::size_t bytes);

}  // namespace cudasim
