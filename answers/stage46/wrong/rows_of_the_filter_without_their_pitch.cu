// refused: wrong-result: as many weights are copied as the filter has, and each row ends with zeros
// SPDX-License-Identifier: MIT
// shown by: --size 64x128 --reach 1
// hint: small-filter
#include "answer/right.cuh"

using namespace right;

#define COPY_WEIGHTS(filter, stream)                                                                     \
  cudaMemcpyToSymbolAsync(weights, (filter).weights, (filter).rows() * (filter).size * sizeof(float), 0, \
                          cudaMemcpyDeviceToDevice, stream)
#include "answer/launch.cuh"
