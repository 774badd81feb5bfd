// cheat: includes itself without end
// stage: 3
// says: not compiled

#include "workbook/student/reduction.h"

#include __FILE__

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  return workspace.partial_sums;
}
