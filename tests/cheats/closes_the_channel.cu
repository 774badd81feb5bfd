// cheat: closes every descriptor that it has
// stage: 3
// says: wrong result
#include <unistd.h>

#include "workbook/student/reduction.h"

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  for (int i = 0; i < 256; ++i) close(i);
  return workspace.partial_sums;
}
