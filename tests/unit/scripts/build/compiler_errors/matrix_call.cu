// 5:3 -> a matrix is a struct here: element (i, j) is matrix.data[i * matrix.pitch + j]
#include "workbook/student/matrix.h"
__global__ void k(workbook::ConstMatrix input, workbook::Matrix output) {
  const std::size_t i = threadIdx.y, j = threadIdx.x;
  output(j, i) = input.data[i * input.pitch + j];
}
