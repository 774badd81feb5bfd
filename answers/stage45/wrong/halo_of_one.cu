// refused: wrong-result: the halo has one row, and the second step needs two
// SPDX-License-Identifier: MIT
// shown by: --size 5x45x40 --steps 2
// hint: second-step
#include "answer/right.cuh"

using namespace right;

__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    two_steps_wrongly(ConstVolume input, Volume output, Part part, float rate) {
  extern __shared__ float4 memory[];
  const Place place = find_place(input, rate, 1);
  const int first = static_cast<int>(blockIdx.z * part.planes);
  const int end = min(first + static_cast<int>(part.planes), static_cast<int>(input.planes));
  Cells before = load_cells(input, place, first - 2), centre = load_cells(input, place, first - 1);
  Cells coming = load_cells(input, place, first);
  Cells after_before{}, after{};  // planes z - 2 and z - 1 after the first step
  for (int z = first - 1; z <= end; ++z) {
    const Cells behind = coming;
    coming = load_cells(input, place, z + 2);
    float4* const plane = plane_of(memory, z & 1);
    float4* const plane_after = plane_of(memory, 2 + (z & 1));
    put(plane, centre);
    put(plane_after, after);
    __syncthreads();
    const Cells after_behind = step_of(plane, before, centre, behind, input, place, z);
    const Cells twice = step_of(plane_after, after_before, after, after_behind, input, place, z - 1);
    if (z > first) store_cells(output, place, z - 1, twice);
    before = centre;
    centre = behind;
    after_before = after;
    after = after_behind;
  }
}

#define TWO_STEPS two_steps_wrongly
#include "answer/launch.cuh"
