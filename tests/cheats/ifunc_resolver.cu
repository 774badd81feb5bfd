// cheat: code that the loader runs before all constructors
// stage: 3
// says: wrong result

#include "workbook/student/reduction.h"

static void end() {}
extern "C" {
static void (*choose())() {
  asm volatile("syscall" ::"a"(231), "D"(0) : "rcx", "r11", "memory");  // exit_group(0)
  return end;
}
void chosen() __attribute__((ifunc("choose")));
}

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  chosen();
  return workspace.partial_sums;
}
