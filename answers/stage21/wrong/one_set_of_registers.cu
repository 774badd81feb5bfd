// refused: not-the-step: a term is read just before it is multiplied, so that all warps wait behind each barrier
// SPDX-License-Identifier: MIT
// hint: step-term-read-late
#define WRONG_ACROSS 4  // as at the size that is counted
#define WRONG_WHOLE
#include "answer/without_rounds.cuh"

template <bool kWhole, class Tile>
__device__ void add_k_tiles(float (&sums)[kRows][kColumns], Tile& tile, TileLoader<Tile>& loader, unsigned k_tiles,
                            unsigned row, unsigned column) {
  float of_a[kRows], of_b[kColumns];
  for (unsigned slot = 0; slot < kSlots - 1; ++slot) {
    for (unsigned part = 0; part < kTerms; ++part) bring<kWhole>(loader, tile, slot, part);
  }
  unsigned now = 0, free = kSlots - 1;
  for (unsigned k_tile = 0; k_tile < k_tiles; ++k_tile) {
    __pipeline_wait_prior(kSlots - 2);
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < kTerms; ++k) {
      read(of_a, of_b, tile, now, k, row, column);
      multiply_add(sums, of_a, of_b);
      bring<kWhole>(loader, tile, free, k);
    }
    now = now == kSlots - 1 ? 0 : now + 1;
    free = free == kSlots - 1 ? 0 : free + 1;
  }
}
