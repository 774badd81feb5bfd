// cheat: takes memory until the machine has none
// stage: 3
// says: memory
#include <cstdlib>
#include <cstring>

#include "workbook/student/reduction.h"

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  for (;;) {
    void* const taken = std::malloc(64 << 20);
    if (taken == nullptr) std::abort();
    std::memset(taken, 1, 64 << 20);
  }
  return workspace.partial_sums;
}
