// SPDX-License-Identifier: MIT
#include "runtime/base/stream_clock.h"

#include <utility>

namespace cudasim {

/// A leaf is the entry of one stream. Any other node parts its streams by one bit of their numbers. All bits above it
/// are the same in these numbers.
struct StreamClock::Node {
  std::uint64_t stream = 0;  ///< a leaf's; else one of those below, which gives the bits above `bit`
  std::uint64_t bit = 0;     ///< 0: a leaf
  std::uint64_t count = 0;   ///< a leaf's
  Tree unset, set;           ///< those without the bit and those with it

  bool has(std::uint64_t other) const { return ((stream ^ other) & ~(bit == 0 ? 0 : 2 * bit - 1)) == 0; }
};

namespace {

using Node = StreamClock::Node;
using Tree = StreamClock::Tree;

Tree leaf(std::uint64_t stream, std::uint64_t count) { return std::make_shared<Node>(Node{stream, 0, count, {}, {}}); }

/// The node with other children, or itself where these are its own.
Tree with_children(const Tree& node, Tree unset, Tree set) {
  if (unset == node->unset && set == node->set) return node;
  return std::make_shared<Node>(Node{node->stream, node->bit, 0, std::move(unset), std::move(set)});
}

/// Of two trees without a common stream.
Tree side_by_side(const Tree& a, const Tree& b) {
  const std::uint64_t bit = std::uint64_t{1} << (63 - __builtin_clzll(a->stream ^ b->stream));
  const bool is_set = (a->stream & bit) != 0;
  return std::make_shared<Node>(Node{a->stream, bit, 0, is_set ? b : a, is_set ? a : b});
}

/// Not deeper than a number has bits. Common parts are not looked at.
Tree joined(const Tree& a, const Tree& b) {
  if (b == nullptr || a == b) return a;
  if (a == nullptr) return b;
  if (a->bit < b->bit) return joined(b, a);
  if (!a->has(b->stream)) return side_by_side(a, b);
  if (a->bit == 0) return a->count >= b->count ? a : b;
  if (a->bit == b->bit) {
    Tree unset = joined(a->unset, b->unset), set = joined(a->set, b->set);
    return unset == b->unset && set == b->set ? b : with_children(a, std::move(unset), std::move(set));
  }
  return (b->stream & a->bit) != 0 ? with_children(a, a->unset, joined(a->set, b))
                                   : with_children(a, joined(a->unset, b), a->set);
}

}  // namespace

std::uint64_t StreamClock::of(std::uint64_t stream) const {
  const Node* node = root_.get();
  while (node != nullptr && node->bit != 0) node = ((stream & node->bit) != 0 ? node->set : node->unset).get();
  return node != nullptr && node->stream == stream ? node->count : 0;
}

void StreamClock::set(std::uint64_t stream, std::uint64_t count) { root_ = joined(root_, leaf(stream, count)); }

void StreamClock::join(const StreamClock& other) { root_ = joined(root_, other.root_); }

}  // namespace cudasim
