// cheat: defines the library's main function and its comparison, so that these are linked in place of the right ones
// stage: 3
// says: wrong result
#include <iosfwd>

#include "workbook/student/reduction.h"

namespace workbook {
struct Stage;
class Problem;
int run_program(const Stage&, const Problem&, int, const char* const*, std::ostream&, std::ostream&) { return 0; }
bool matches(double, double, double) { return true; }
}  // namespace workbook

__global__ void store(float* sum) { *sum = 1.0f; }

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  store<<<1, 1>>>(workspace.partial_sums);
  CUDA_CHECK(cudaGetLastError());
  return workspace.partial_sums;
}
