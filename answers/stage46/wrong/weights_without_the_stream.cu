// refused: wrong-result: the weights are copied in the default stream, before they are there
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial CUDASIM_SEED=1 --cases quick
// hint: other-stream
#include "answer/right.cuh"

using namespace right;

#define COPY_WEIGHTS(filter, stream)                                                                    \
  cudaMemcpyToSymbolAsync(weights, (filter).weights, (filter).rows() * kFilterPitch * sizeof(float), 0, \
                          cudaMemcpyDeviceToDevice, nullptr)
#include "answer/launch.cuh"
