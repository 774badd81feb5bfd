// cheat: adds up the array of the host that it gets, beside an empty launch
// stage: 1
// says: wrong result
#include "workbook/student/reduction.h"

__global__ void nothing() {}

const float* reduce_on_device(float* numbers, std::size_t, unsigned, const workbook::Workspace&) { return numbers; }

float reduce(const float* input, std::size_t n, unsigned, workbook::GpuTimer& timer) {
  timer.start();
  nothing<<<1, 32>>>();
  timer.stop();
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) sum += input[i];
  return static_cast<float>(sum);
}
