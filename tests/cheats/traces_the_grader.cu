// cheat: traces the process that has started it
// stage: 3
// says: refused by the wall
#include <sys/ptrace.h>
#include <unistd.h>

#include "workbook/student/reduction.h"

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr);
  return workspace.partial_sums;
}
