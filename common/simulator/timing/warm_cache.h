// SPDX-License-Identifier: MIT
// What the launches of a program leave in the L2, as long as all that they touch fits there.
#pragma once

#include <cstdint>
#include <memory>

#include "timing/global_accesses.h"

namespace cudasim {

class WarmCache {
 public:
  /// A launch has made these accesses. Returns how many sectors it has read from DRAM. `room`: how many sectors the L2
  /// holds. Where launches touch more, the last one alone stays, or nothing.
  std::uint64_t pass(const GlobalAccesses& launch, std::uint64_t room) {
    const std::uint64_t fetched = launch.fetched(kept_.get());
    if (kept_ == nullptr) kept_ = std::make_unique<GlobalAccesses>();
    kept_->add(launch);
    if (kept_->footprint() > room) {
      kept_ = std::make_unique<GlobalAccesses>();
      kept_->add(launch);
      if (kept_->footprint() > room) kept_ = nullptr;
    }
    return fetched;
  }
  bool is_empty() const { return kept_ == nullptr; }

 private:
  std::unique_ptr<GlobalAccesses> kept_;
};

}  // namespace cudasim
