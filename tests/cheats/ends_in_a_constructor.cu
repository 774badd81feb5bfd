// cheat: ends with status 0 before main begins
// stage: 3
// says: wrong result
#include <unistd.h>

#include "workbook/student/reduction.h"

__attribute__((constructor)) static void end() { _exit(0); }

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  return workspace.partial_sums;
}
