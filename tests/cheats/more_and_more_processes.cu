// cheat: starts processes that start processes
// stage: 3
// says: findings
#include <unistd.h>

#include "workbook/student/reduction.h"

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  for (int i = 0; i < 1000; ++i)
    if (fork() == 0)
      for (;;) pause();
  return workspace.partial_sums;
}
