// SPDX-License-Identifier: MIT
// Runs a command, and gives what it writes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cudasim {

enum class Output : std::uint8_t { standard, errors };

/// What the command writes to its standard output, or to its standard error. The other one is dropped. Nothing where it
/// cannot run, or takes longer than `most_seconds`, when it is killed.
std::string output_of(const std::vector<std::string>& words, Output wanted, int most_seconds);

}  // namespace cudasim
