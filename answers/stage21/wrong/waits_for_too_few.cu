// refused: async-copy: the wait lets so many groups go on that it waits for none
// SPDX-License-Identifier: MIT
// shown by: --size 128x128x64 --block-size 128x1
// hint: copy-under-way
#include "answer/without_rounds.cuh"

template <class Tile, bool kWhole>
__device__ void add_k_tiles(float (&sums)[kRows][kColumns], Tile& tile, TileLoader<Tile, kWhole>& loader,
                            unsigned k_tiles, unsigned row, unsigned column) {
  float of_a[2][kRows], of_b[2][kColumns];  // of this term, and of the next
  for (unsigned stage = 0; stage < kStages - 1; ++stage) {
    for (unsigned part = 0; part < kTerms; ++part) loader.bring(tile, stage, part);
  }
  __pipeline_wait_prior(kStages - 2);
  __syncthreads();
  read<Tile>(of_a[0], of_b[0], tile, 0, 0, row, column);
  unsigned now = 0, free = kStages - 1;
  for (unsigned k_tile = 0; k_tile < k_tiles; ++k_tile) {
#pragma unroll
    for (unsigned k = 0; k < kTerms; ++k) {
      if (k == kTerms - 1) {
        __pipeline_wait_prior(kStages + 3);
        __syncthreads();
        now = now == kStages - 1 ? 0 : now + 1;
      }
      read<Tile>(of_a[(k + 1) % 2], of_b[(k + 1) % 2], tile, now, (k + 1) % kTerms, row, column);
      multiply_add(sums, of_a[k % 2], of_b[k % 2]);
      loader.bring(tile, free, k);
    }
    free = free == kStages - 1 ? 0 : free + 1;
  }
}
