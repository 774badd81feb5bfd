// SPDX-License-Identifier: MIT
// Runs the command behind the wall, and leaves nothing of it running.
#pragma once

#include "wall/options.h"

namespace wall {

/// Returns when the command has ended, or after SIGTERM or SIGINT to this process. All that the command has started is
/// killed by then, whatever session or parent it has. Tells the grader the exit status (128 + signal, as in shells),
/// the CPU time in microseconds and the largest process in KiB. Returns the exit status.
int supervise(const Options& options);

}  // namespace wall
