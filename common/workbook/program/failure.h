// SPDX-License-Identifier: MIT
// The exit status and the message for an exception that ends the program.
#pragma once

#include <string>

#include "workbook/program/report.h"
#include "workbook/student/cuda_check.h"

namespace workbook {

/// The status and the sentence for an end without a result.
struct Failure {
  ExitStatus status;
  std::string message;
  std::string options;  ///< The options of the failed case. Empty: the typed options.
};

/// The failure for the exception in handling; for a `catch (...)`. `asked`: the option that asked for memory.
Failure current_failure(const std::string& asked);

/// Example: "todo.cu:12: cudaGetLastError()".
std::string place_of(const LastCall& last);

}  // namespace workbook
