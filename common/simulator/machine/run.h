// SPDX-License-Identifier: MIT
// The one entry through which a kernel runs.
#pragma once

#include "program/launch.h"

namespace cudasim {

struct Program;
struct Checks;

/// Runs the grid to its end. `launch` must already be within DeviceLimits; otherwise the runtime returns CUDA's own
/// error code.
/// `checks`: the checkers (checkers/registry/checks.h). Its races are those that one worker finds when it runs the
/// blocks in order. It prints nothing. It throws (std::bad_alloc) only when nothing has run yet; see Outcome::failure.
Outcome run(const Program& program, const Launch& launch, Memory& memory, const Schedule& schedule,
            Checks* checks = nullptr);

}  // namespace cudasim
