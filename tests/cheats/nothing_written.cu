// cheat: writes nothing, where memory may still hold a right result
// stage: 3
// says: findings

#include "workbook/student/reduction.h"

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  return workspace.partial_sums;
}
