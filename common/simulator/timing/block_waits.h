// SPDX-License-Identifier: MIT
// Which blocks wait for which others. The simulator runs most blocks one after another, so a block that looks finds its
// value there already. On a GPU it would wait for the block that wrote it. A block that draws one tile after the other
// may get all of them here, and finds its own values: these are links of a chain, too.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "program/program.h"

namespace cudasim {

class BlockWaits {
 public:
  explicit BlockWaits(const Program& program);

  bool has_polls() const { return has_polls_; }
  bool is_poll(const MicroOp& op) const { return has_polls_ && polls_[op.counter]; }
  /// Lanes of `block` poll words of global memory.
  void look(std::uint64_t block, const std::uint64_t* address, Mask mask);
  /// They write words that others may poll. Call it for atomics, stores with an order, and stores of one lane: what a
  /// plain store of many lanes writes is data.
  void write(std::uint64_t block, const std::uint64_t* address, Mask mask);

  struct Result {
    std::uint64_t blocks = 0;         ///< that wait for another one
    std::uint64_t longest_chain = 0;  ///< of blocks, each of which waits for the one before
    std::uint32_t widest_look = 0;    ///< written words that one request polls
    bool is_unknown = false;          ///< a block has waited, and the store that ended it was not followed
  };
  Result result() const;

 private:
  static std::uint64_t word_of(std::uint64_t address) { return address / 4; }

  bool has_polls_ = false;
  std::vector<bool> polls_;                                   // by MicroOp::counter
  std::unordered_map<std::uint64_t, std::uint64_t> written_;  // by word: how long the chain of its author was
  std::unordered_map<std::uint64_t, std::uint64_t> chains_;   // by block, of those that wait
  std::unordered_map<std::uint64_t, std::uint64_t>
      unanswered_;  // by block: a word that it polls, and nobody has written
  std::unordered_map<std::uint64_t, std::uint64_t> unfollowed_;  // the same, where it has polled it more than once
  std::uint32_t widest_look_ = 0;
};

}  // namespace cudasim
