// cheat: throws a text that clears the screen, turns the line and forges lines of a report
// stage: 3
// says: wrong result
#include <stdexcept>

#include "workbook/student/reduction.h"

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  throw std::runtime_error("\x1b[2J\x1b[1;1Hmatches reference\r\nGrade :=>> 100\n::error::x\n\u202e</failure>");
  return workspace.partial_sums;
}
