// SPDX-License-Identifier: MIT
// What one launch touches of memory that the host can touch too (managed and pinned). Until the host has waited for the
// launch, it may not write these bytes, nor read those that the launch writes (CUDA C++ Programming Guide, "Unified
// Memory Programming" and "Mapped Memory").
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "memory/memory.h"

namespace cudasim {

class HostTouches {
 public:
  struct Stretch {
    std::uint64_t begin = 0, end = 0;
    bool is_write = false;
    bool contains(std::uint64_t address) const { return address - begin < end - begin; }
  };

  /// Null: the launch can reach no such memory, as far as its parameters tell.
  static std::shared_ptr<HostTouches> of_launch(const Memory& memory, const std::vector<std::byte>& parameters);

  // While the launch runs, from any worker.
  void add(std::uint64_t address, std::uint64_t bytes, bool is_write);
  /// The launch makes a volatile, an ordered or a system-wide access. So it may be in agreement with a running host.
  void may_agree_with_host() { may_agree_ = true; }

  /// The launch has ended.
  void finish();
  /// Empty where it may be in agreement with the host.
  const std::vector<Stretch>& stretches() const { return stretches_; }

 private:
  struct Part {
    std::uint64_t begin = 0, bytes = 0;
    WrittenBits read, written;
    mutable std::uint64_t least = ~std::uint64_t{0}, end = 0;  // what is touched lies between these offsets
  };
  void take(const WrittenBits& bits, const Part& part, bool is_write);

  std::vector<Part> parts_;
  std::vector<Stretch> stretches_;
  std::atomic<bool> may_agree_{false};
};

}  // namespace cudasim
