// SPDX-License-Identifier: MIT
// What the report keeps of a launch.
#pragma once

#include <vector>

#include "program/program.h"
#include "report/run_report.h"

namespace cudasim {

std::vector<LineCounters> by_line(const Program& program, const std::vector<Counters>& by_instruction);

/// A kernel that prints is never late. Otherwise the position of its text in the host's output would look like chance.
bool prints(const Program& program);

LaunchRecord record_of(const Program& program, const Launch& launch, const Outcome& outcome);

}  // namespace cudasim
