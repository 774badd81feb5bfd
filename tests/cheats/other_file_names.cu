// cheat: says that its lines are those of a file of the system
// stage: 3
// says: findings

#include "workbook/student/reduction.h"

#line 1 "/etc/passwd"
__global__ void outside(float* sum) { sum[1u << 30] = 1.0f; }

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  outside<<<1, 1>>>(workspace.partial_sums);
  return workspace.partial_sums;
}
