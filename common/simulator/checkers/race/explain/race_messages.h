// SPDX-License-Identifier: MIT
// The race checker's words for two accesses that nothing orders: a sentence on what happened, and one on what to do.
// They depend on the two threads, on the element, and on the kernel's text around the accesses. Where several causes
// remain possible, the message asks for them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/finding.h"
#include "checkers/race/shadow/race_checker.h"

namespace cudasim {

struct Grid;

/// What the race detector's messages are made of.
struct RaceMessages {
  std::string message;  ///< after "a race in ... memory: "
  std::string advice;
  bool wants_barrier = false;  ///< a barrier mends it
};

struct Race {
  const Grid& grid;
  const Conflict& conflict;
  std::string scope;  ///< as in Finding
  std::uint64_t block = 0;
  std::uint32_t warp = 0, instruction = 0;  ///< of the later access
  AccessKind now;
  bool lanes_apart = false;      ///< the later access's lanes touch elements of their own
  std::uint32_t unacquired = 0;  ///< HappensBefore::unacquired()
  HappensBefore::Releaser releaser{};
  bool copies = false;  ///< the later access is an asynchronous copy's
};

RaceMessages words_of(const Race& race);

/// For two plain accesses by two blocks. `update`: both belong to `x += y` on one line.
RaceMessages messages_between_blocks(const Race& race, bool update);

/// Where Race::unacquired is known.
RaceMessages messages_without_acquire(const Race& race);

/// Where Race::releaser is known. Empty where a barrier stands between the earlier access and the release.
std::optional<RaceMessages> messages_of_another_releaser(const Race& race);

}  // namespace cudasim
