// SPDX-License-Identifier: MIT
// What an exception means for the program that ends with it.
#pragma once

#include <string>

#include "workbook/program/report.h"
#include "workbook/student/cuda_check.h"

namespace workbook {

/// The status and the sentence for an end without a result.
struct Failure {
  ExitStatus status;
  std::string message;
  std::string options;  ///< of the case in which it happened; "": those that were typed
};

/// What the exception means that is being handled: for a `catch (...)`. `asked`: the option that asked for memory.
Failure current_failure(const std::string& asked);

/// "todo.cu:12: cudaGetLastError()"
std::string place_of(const LastCall& last);

}  // namespace workbook
