// refused: race: a pass reads runs that the pass before has not written yet
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_SCHEDULE=adversarial CUDASIM_SEED=1 --size 18000
// hint: global-not-written
#include "workbook/student/sort.h"

struct Wrong {};
__device__ void wait_for_tiles(Wrong, unsigned& tiles_written, unsigned tiles);

// In the answer's definition `Wrong()` is the type of a function, in its calls an object: so they come to this one.
#define wait_for_tiles(...) wait_for_tiles(Wrong(), __VA_ARGS__)
#include "answer/small_tiles_answer.cuh"
#undef wait_for_tiles

__device__ void wait_for_tiles(Wrong, unsigned&, unsigned) {}
