// SPDX-License-Identifier: MIT
#include "workbook/student/todo.h"

#include <cstdio>

namespace workbook {

Unsolved::Unsolved(const char* file, int line, const char* message) {
  std::snprintf(what_, sizeof what_, "%s:%d: %s", file, line, message);
}

}  // namespace workbook
