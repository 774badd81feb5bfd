// cheat: the copy is one call of the runtime, beside a launch that does nothing
// stage: 12
// says: not from the input

#include "workbook/student/matrix.h"

__global__ void nothing() {}

void copy_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3, cudaStream_t stream) {
  if (input.rows == 0 || input.columns == 0) return;
  CUDA_CHECK(cudaMemcpy2DAsync(output.data, output.pitch * sizeof(float), input.data, input.pitch * sizeof(float),
                               input.columns * sizeof(float), input.rows, cudaMemcpyDeviceToDevice, stream));
  nothing<<<1, 32, 0, stream>>>();
}
