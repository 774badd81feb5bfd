// cheat: writes what a grader may wait for to every descriptor that is open
// stage: 3
// says: wrong result
#include <unistd.h>

#include <cstring>

#include "workbook/student/reduction.h"

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  const char text[] = "started\nerror the wall did not start\nended 0 0 0\n";
  for (int i = 3; i < 1024; ++i) (void)!write(i, text, std::strlen(text));
  _exit(0);
  return workspace.partial_sums;
}
