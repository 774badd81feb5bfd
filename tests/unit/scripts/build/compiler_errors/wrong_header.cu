// 2:10 -> the header is "workbook/student/reduction.h"
#include "workbook/reduction.h"
__global__ void k(float* out) { *out = 0; }
