// cheat: includes the answer
// stage: 3
// says: not compiled

#include "../../answers/stage03/solution.cu"
#include "workbook/student/reduction.h"
