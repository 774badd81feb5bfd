// SPDX-License-Identifier: MIT
// The one door through which a kernel runs.
#pragma once

#include "program/launch.h"

namespace cudasim {

struct Program;
struct Checks;

/// Runs the grid to its end. `launch` must already be within DeviceLimits (the runtime returns CUDA's own error code
/// otherwise). `checks`: what else is looked for (checkers/registry/checks.h); what is found of races is what one
/// worker finds that runs the blocks in order. Does not print. Throws (std::bad_alloc) only when nothing has run yet;
/// see Outcome::failure.
Outcome run(const Program& program, const Launch& launch, Memory& memory, const Schedule& schedule,
            Checks* checks = nullptr);

}  // namespace cudasim
