// SPDX-License-Identifier: MIT
// What the race checker says of two accesses that nothing orders: a sentence on what happened, and one on what to do.
#pragma once

#include <cstdint>
#include <string>

#include "observers/races.h"

namespace cudasim {

struct RaceWords {
  std::string message;  ///< after "a race in ... memory: "
  std::string advice;
};

/// `scope` as in Finding. `instruction` is that of the later access, whose kind is `now`.
RaceWords words_of(const Program& program, const std::string& scope, std::uint32_t instruction, const AccessKind& now,
                   const Conflict& conflict);

}  // namespace cudasim
