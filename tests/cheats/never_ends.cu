// cheat: waits for ever, so that the grader does
// stage: 3
// says: time
#include "workbook/student/reduction.h"

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  for (volatile unsigned i = 0;; i = i + 1) {
  }
  return workspace.partial_sums;
}
