// 4:10 -> a remainder is one of whole numbers. A pointer becomes the number of its address by reinterpret_cast<std::uintptr_t>(pointer)
#include "workbook/student/matrix.h"
bool holds_vectors(const float* data, std::size_t pitch) {
  return data % 16 == 0 && pitch % 4 == 0;
}
