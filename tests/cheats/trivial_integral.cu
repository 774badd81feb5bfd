// cheat: a kernel of one thread has the closed formula, and no point of the function
// stage: 9
// says: wrong result

#include "workbook/student/integration.h"

__global__ void formula(workbook::Integrand f, double a, double b, double* integral) {
  *integral = f.function == workbook::Function::sine     ? cos(a) - cos(b)
              : f.function == workbook::Function::square ? (b * b * b - a * a * a) / 3.0
              : f.function == workbook::Function::arc    ? 4.0 * (atan(b) - atan(a))
                                                         : 0.886226925452758 * (erf(b) - erf(a));
}

void integrate_on_device(workbook::Integrand f, double a, double b, std::size_t, unsigned, double* integral,
                         cudaStream_t stream) {
  formula<<<1, 1, 0, stream>>>(f, a, b, integral);
  CUDA_CHECK(cudaGetLastError());
}
