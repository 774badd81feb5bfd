// cheat: prints until no disk has room
// stage: 3
// says: output
#include <cstdio>
#include <string>

#include "workbook/student/reduction.h"

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  const std::string line(4096, 'x');
  for (;;) std::puts(line.c_str());
  return workspace.partial_sums;
}
