// SPDX-License-Identifier: MIT
// The kernel for any filter, for wrong kernels that change what it calls. The including file may define LOAD_TILE or
// ADD_ROW as the name of its own function, and WAIT as what stands between the two.
#ifndef LOAD_TILE
#define LOAD_TILE load_tile
#endif
#ifndef ADD_ROW
#define ADD_ROW add_row<false, kFilterPitch / 4>
#endif
#ifndef WAIT
#define WAIT __syncthreads()
#endif

__global__ void convolve_by_wrong_parts(ConstMatrix input, Matrix output, unsigned size) {
  extern __shared__ float4 memory[];
  float* const tile = reinterpret_cast<float*>(memory);
  const unsigned rows = kRows * blockDim.y, reach = size / 2;
  LOAD_TILE(input, static_cast<int>(blockIdx.y * rows) - static_cast<int>(reach),
            static_cast<int>(blockIdx.x * kColumns) - static_cast<int>(reach), rows + size - 1, kTilePitch, tile);
  WAIT;
  Sums sums;
  const unsigned first = kRows * threadIdx.y;
  for (unsigned j = 0; j < size + kRows - 1; ++j) ADD_ROW(sums, row_of(tile, first + j), j, size);
  store_sums(output, std::size_t{blockIdx.y} * rows + first, sums);
}

#undef LOAD_TILE
#undef ADD_ROW
#undef WAIT
#define CONVOLVE convolve_by_wrong_parts
#include "launch.cuh"
