// SPDX-License-Identifier: MIT
// A call of a library that the CPU computes for long: a person who waits is told, as for a kernel that runs long.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "base/finding.h"

namespace cudasim {

class Runtime;

class LongCall {
 public:
  /// The caller computes while this lives, and touches nothing of the runtime. A call of few bytes is never long.
  LongCall(Runtime& runtime, const char* name, const CallStack& callers, std::uint64_t bytes);
  ~LongCall();
  LongCall(const LongCall&) = delete;
  LongCall& operator=(const LongCall&) = delete;

 private:
  static constexpr std::uint64_t kFewBytes = 1u << 20;

  void watch(const CallStack& callers);

  Runtime& runtime_;
  const char* const name_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool has_ended_ = false;
  std::thread watch_;
};

}  // namespace cudasim
