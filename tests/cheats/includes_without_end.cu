// cheat: includes a device that never ends
// stage: 3
// says: not compiled

#include "/dev/zero"
#include "workbook/student/reduction.h"

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  return workspace.partial_sums;
}
