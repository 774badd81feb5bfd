// refused: wrong-result: the first plane of a part has nothing before it
// SPDX-License-Identifier: MIT
// shown by: --size 20x45x150 --steps 1
// hint: parts
#include "answer/right.cuh"

using namespace right;

__global__ void __launch_bounds__(kMostThreads)
    one_step_wrongly(ConstVolume input, Volume output, Part part, float rate) {
  extern __shared__ float4 memory[];
  const Place place = find_place(input, 1);
  const unsigned first = blockIdx.z * part.planes, end = min(first + part.planes, static_cast<unsigned>(input.planes));
  float4 before = float4{};
  float4 centre = load_cells(input, place, static_cast<int>(first));
  float4 coming = load_cells(input, place, static_cast<int>(first) + 1);
  for (unsigned z = first; z < end; ++z) {
    const float4 behind = coming;
    coming = load_cells(input, place, static_cast<int>(z) + 2);
    float4* const plane = plane_of(memory, z % 2);
    put(plane, centre);
    __syncthreads();
    store_cells(output, place, z, step_of(plane, before, centre, behind, rate, place, static_cast<int>(z)));
    before = centre;
    centre = behind;
  }
}

#define ONE_STEP one_step_wrongly
#include "answer/launch.cuh"
