// SPDX-License-Identifier: MIT
// Prints a report or a failure as text, and as JSON where the options ask for it.
#pragma once

#include <iosfwd>
#include <string>

#include "workbook/case/stage_row.h"
#include "workbook/program/failure.h"
#include "workbook/program/options.h"

namespace workbook {

/// Writes the failure as one line, and as JSON where the options ask for it. Returns its status.
ExitStatus report_failure(const Stage& stage, const Failure& failure, const JsonTarget& json, std::ostream& out,
                          std::ostream& err);

/// Writes the report as text, and as JSON where the options ask for it. Returns `status`, or the status of a JSON file
/// that cannot be written.
ExitStatus report(const std::string& text, const std::string& json_text, const JsonTarget& json, ExitStatus status,
                  std::ostream& out, std::ostream& err);

}  // namespace workbook
