// SPDX-License-Identifier: MIT
// Prints a report or a failure: as text, and where asked for as JSON.
#pragma once

#include <iosfwd>
#include <string>

#include "workbook/case/stage_row.h"
#include "workbook/program/failure.h"
#include "workbook/program/options.h"

namespace workbook {

/// Writes the failure, as one line and where asked for as JSON. Returns its status.
ExitStatus report_failure(const Stage& stage, const Failure& failure, const JsonTarget& json, std::ostream& out,
                          std::ostream& err);

/// Writes the report, as text and where asked for as JSON. Returns `status`, or that of the error that it is to have no
/// place for the JSON.
ExitStatus report(const std::string& text, const std::string& json_text, const JsonTarget& json, ExitStatus status,
                  std::ostream& out, std::ostream& err);

}  // namespace workbook
