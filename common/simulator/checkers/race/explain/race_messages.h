// SPDX-License-Identifier: MIT
// What the race checker says of two accesses that nothing orders: a sentence on what happened, and one on what to do.
// The words are chosen by what is known of the two: who they are, which element it is, and what the kernel's text does
// around them. Where that leaves several causes, they are asked for.
#pragma once

#include <cstdint>
#include <string>

#include "base/finding.h"
#include "checkers/race/shadow/race_checker.h"

namespace cudasim {

struct Grid;

struct RaceWords {
  std::string message;  ///< after "a race in ... memory: "
  std::string advice;
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
  bool copies = false;           ///< the later access is an asynchronous copy's
};

RaceWords words_of(const Race& race);

/// Of two plain accesses by two blocks. `update`: both are of `x += y` on one line.
RaceWords words_between_blocks(const Race& race, bool update);

/// Where Race::unacquired is known.
RaceWords words_without_acquire(const Race& race);

}  // namespace cudasim
