// refused: wrong-result: the plane before stays that of the first round
// SPDX-License-Identifier: MIT
// shown by: --size 9x9x40 --steps 1
// hint: march
#include "answer/right.cuh"

using namespace right;

__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    one_step_wrongly(ConstVolume input, Volume output, Part part, float rate) {
  extern __shared__ float4 memory[];
  const Place place = find_place(input, rate, 1);
  const int first = static_cast<int>(blockIdx.z * part.planes);
  const int end = min(first + static_cast<int>(part.planes), static_cast<int>(input.planes));
  Cells before = load_cells(input, place, first - 1), centre = load_cells(input, place, first);
  Cells coming = load_cells(input, place, first + 1);
  for (int z = first; z < end; ++z) {
    const Cells behind = coming;
    coming = load_cells(input, place, z + 2);
    float4* const plane = plane_of(memory, z & 1);
    put(plane, centre);
    __syncthreads();
    store_cells(output, place, z, step_of(plane, before, centre, behind, input, place, z));
    centre = behind;
  }
}

#define ONE_STEP one_step_wrongly
#include "answer/launch.cuh"
