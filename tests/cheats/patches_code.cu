// cheat: changes the first bytes of a function of the runtime in memory
// stage: 3
// says: findings
#include <sys/mman.h>

#include <cstdint>

#include "workbook/student/reduction.h"

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  auto* const code = reinterpret_cast<unsigned char*>(&cudaFree);
  void* const page = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(code) & ~std::uintptr_t{4095});
  if (mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) == 0) code[0] = 0xc3;  // ret
  cudaFree(nullptr);
  return workspace.partial_sums;
}
