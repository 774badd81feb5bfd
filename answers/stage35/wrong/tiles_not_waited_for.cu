// refused: race: a pass reads runs that the pass before has not written yet
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial CUDASIM_SEED=1 --size 18000
// hint: global-not-written
#include "passes.cuh"

template <class Tile>
__device__ void wait_for_pair(const Passes& passes, const MergedTile& tile);

// Renames the answer's definition, and not its calls: there `<` follows the name.
#define wait_for_pair(...) right_wait_for_pair(__VA_ARGS__)
#include "answer/small_tiles_answer.cuh"
#undef wait_for_pair

template <class Tile>
__device__ void wait_for_pair(const Passes&, const MergedTile&) {}
