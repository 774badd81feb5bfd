// SPDX-License-Identifier: MIT
// A vector clock: for each stream, how many of its operations come before. Streams that wait for each other in a chain
// have clocks with as many entries as the chain has streams, and nearly all of these are the same. So a clock is a tree
// that shares its parts with other clocks: Okasaki and Gill, "Fast Mergeable Integer Maps" (1998). To copy one takes
// constant time. To join two takes as long as they differ, not as they have entries.
#pragma once

#include <cstdint>
#include <memory>

namespace cudasim {

class StreamClock {
 public:
  bool empty() const { return root_ == nullptr; }
  /// How many operations of the stream come before; 0: none.
  std::uint64_t of(std::uint64_t stream) const;
  /// `count` is no smaller than before.
  void set(std::uint64_t stream, std::uint64_t count);
  /// Afterwards it is what comes after both.
  void join(const StreamClock& other);

  struct Node;
  using Tree = std::shared_ptr<const Node>;  ///< null: no entry

 private:
  Tree root_;
};

}  // namespace cudasim
