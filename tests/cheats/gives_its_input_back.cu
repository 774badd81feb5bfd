// cheat: gives back the numbers themselves, as if the first one were the sum
// stage: 3
// says: wrong result

#include "workbook/student/reduction.h"

const float* reduce_on_device(float* numbers, std::size_t, unsigned, const workbook::Workspace&) { return numbers; }
