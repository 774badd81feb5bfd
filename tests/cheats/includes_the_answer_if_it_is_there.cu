// cheat: includes the answer where the compiler can see it, and is not solved elsewhere
// stage: 3
// says: not solved

#include "workbook/student/reduction.h"

#if __has_include("../../answers/stage03/solution.cu")
#include "../../answers/stage03/solution.cu"
#else
const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  WORKBOOK_TODO("the answer is not in sight");
  return workspace.partial_sums;
}
#endif
