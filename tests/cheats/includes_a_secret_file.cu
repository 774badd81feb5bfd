// cheat: includes a file of the machine, so that the compiler shows it
// stage: 3
// says: not compiled

#include "/etc/passwd"
#include "workbook/student/reduction.h"

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  return workspace.partial_sums;
}
