// SPDX-License-Identifier: MIT
#include "workbook/student/todo.h"

#include <cstdio>
#include <cstring>

namespace workbook {

Unsolved::Unsolved(const char* file, int line, const char* message) {
  std::snprintf(what_, sizeof what_, "%s:%d: %s", file, line, message);
}

void Unsolved::add_matching_cases(std::size_t count) {
  if (count > 0) {
    const std::size_t length = std::strlen(what_);
    std::snprintf(what_ + length, sizeof what_ - length, " (%zu case%s before that match%s)", count,
                  count == 1 ? "" : "s", count == 1 ? "es" : "");
  }
}

}  // namespace workbook
