// 4:8 -> it is declared in a header: write #include <cstdint> at the top of the file
#include "workbook/student/cuda_check.h"
void f(float* a, float* b) {
  std::uintptr_t address = reinterpret_cast<std::uintptr_t>(a);
  *b = address % 16;
}
