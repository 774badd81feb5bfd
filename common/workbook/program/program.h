// SPDX-License-Identifier: MIT
// The whole program of a stage except its main: options, run, report, exit status.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>

#include "workbook/program/failure.h"
#include "workbook/program/options.h"
#include "workbook/program/output.h"

namespace workbook {

/// Why the input of `settings` cannot run on this device and host, or nothing if it can. The sentence gives the bytes
/// that it asks for and the bytes that are free. `host_bytes`: the memory of this machine.
std::optional<std::string> too_large(const Problem& problem, const Settings& settings, const Device& device,
                                     std::size_t host_bytes);

/// Parses, runs, and writes the report to `out`. Writes one line about a failure to `err`. Throws nothing.
ExitStatus run_program(const Stage& stage, const Problem& problem, int argc, const char* const* argv, std::ostream& out,
                       std::ostream& err);

}  // namespace workbook
