// cheat: device code that the grader has not compiled, loaded as text at run time
// stage: 3
// says: refused by the simulator
#include <dlfcn.h>

#include "workbook/student/reduction.h"

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  cudaLibrary_t library = nullptr;
  CUDA_CHECK(cudaLibraryLoadData(&library, ".version 8.0\n.target sm_75\n.address_size 64\n", nullptr, nullptr, 0,
                                 nullptr, nullptr, 0));
  return workspace.partial_sums;
}
