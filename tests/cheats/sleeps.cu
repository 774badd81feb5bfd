// cheat: sleeps, so that no limit of processor time stops it
// stage: 3
// says: time
#include <unistd.h>

#include "workbook/student/reduction.h"

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  for (;;) pause();
  return workspace.partial_sums;
}
