// SPDX-License-Identifier: MIT
#include "timing/block_waits.h"

#include <algorithm>

#include "timing/polling_loads.h"

namespace cudasim {

BlockWaits::BlockWaits(const Program& program) {
  // Without such an access blocks may run on several workers, in any order.
  if (!program.order_sensitive) return;
  polls_ = polling_loads(program);
  has_polls_ = std::find(polls_.begin(), polls_.end(), true) != polls_.end();
}

void BlockWaits::look(std::uint64_t block, const std::uint64_t* address, Mask mask) {
  std::uint64_t chain = 0;
  std::uint32_t looks = 0;
  std::uint64_t last = ~std::uint64_t{0};
  for (Mask m = mask; m != 0; m &= m - 1) {
    const std::uint64_t word = word_of(address[__builtin_ctz(m)]);
    if (word == last) continue;
    last = word;
    const auto written = written_.find(word);
    if (written == written_.end()) {
      const auto [before, is_new] = unanswered_.try_emplace(block, word);
      if (!is_new && before->second == word) unfollowed_[block] = word;
      continue;
    }
    const auto unfollowed = unfollowed_.find(block);
    if (unfollowed != unfollowed_.end() && unfollowed->second == word) unfollowed_.erase(unfollowed);
    ++looks;
    chain = std::max(chain, written->second + 1);
  }
  if (looks == 0) return;
  widest_look_ = std::max(widest_look_, looks);
  std::uint64_t& its_chain = chains_[block];
  its_chain = std::max(its_chain, chain);
}

void BlockWaits::write(std::uint64_t block, const std::uint64_t* address, Mask mask) {
  const auto chain = chains_.find(block);
  for (Mask m = mask; m != 0; m &= m - 1)
    written_[word_of(address[__builtin_ctz(m)])] = chain == chains_.end() ? 0 : chain->second;
}

BlockWaits::Result BlockWaits::result() const {
  Result result;
  result.blocks = chains_.size();
  result.widest_look = widest_look_;
  result.is_unknown = !unfollowed_.empty();
  for (const auto& [block, chain] : chains_) result.longest_chain = std::max(result.longest_chain, chain);
  return result;
}

}  // namespace cudasim
