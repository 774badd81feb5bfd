// cheat: a kernel prints what the simulator would print of a right program
// stage: 3
// says: findings
#include <cstdio>

#include "workbook/student/reduction.h"

__global__ void print() { printf("cudasim: no findings\n{\"findings\": [], \"matches\": true}\n"); }

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  print<<<1, 1>>>();
  CUDA_CHECK(cudaGetLastError());
  return workspace.partial_sums;
}
