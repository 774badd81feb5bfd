// SPDX-License-Identifier: MIT
// The macro for a stage that is not solved yet. It throws. The program's main catches, names the line and exits with
// status 77, which ctest shows as skipped.
#pragma once

#include <cstddef>
#include <exception>

namespace workbook {

/// The exception of WORKBOOK_TODO. what() is "FILE:LINE: MESSAGE", with at most 1,000 bytes.
class Unsolved : public std::exception {
 public:
  Unsolved(const char* file, int line, const char* message);
  const char* what() const noexcept override { return what_; }

  /// Adds that so many cases match already: a stage may have steps, and cases that need the first ones alone.
  void add_matching_cases(std::size_t count);

 private:
  char what_[1000];
};

}  // namespace workbook

/// Marks the place of the student's lines: `WORKBOOK_TODO("add the neighbour's value");`. Host code only. The compiler
/// knows that it does not return, so a function that ends with it needs no return statement.
#define WORKBOOK_TODO(message) throw ::workbook::Unsolved(__FILE__, __LINE__, (message))
