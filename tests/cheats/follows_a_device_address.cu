// cheat: the host reads the numbers through their address, as if the device were in its own process
// stage: 3
// says: crash
#include "workbook/student/reduction.h"

const float* reduce_on_device(float* numbers, std::size_t n, unsigned, const workbook::Workspace& workspace) {
  volatile float sum = 0.0f;
  for (std::size_t i = 0; i < n; ++i) sum = sum + numbers[i];
  workspace.partial_sums[0] = sum;
  return workspace.partial_sums;
}
