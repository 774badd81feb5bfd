// 4:17 -> there is workbook::kNoHit: put workbook:: before it
#include "workbook/student/find.h"
__global__ void k(unsigned long long* first) {
  if (*first == kNoHit) *first = 0;
}
