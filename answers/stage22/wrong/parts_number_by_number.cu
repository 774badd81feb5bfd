// refused: not-the-step: a part is stored number by number where C has no whole tile, though a part always is one
// SPDX-License-Identifier: MIT
// hint: step-parts
#define ALL_SHAPES
#define TARGET not_as_vectors(target_of<Shape>(c, work, tile, k_tiles, partials), is_whole(c, work, corner))
#define END_OF_SHARE min(at + work.share, work.length())
struct Target;
__device__ Target not_as_vectors(Target target, bool is_whole);
#include "answer/multiply_share_but.cuh"

__device__ Target not_as_vectors(Target target, bool is_whole) {
  target.as_vectors = is_whole;
  return target;
}
