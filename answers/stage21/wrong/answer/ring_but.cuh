// SPDX-License-Identifier: MIT
// The loop over the k-tiles of stage 21's answer, with one mistake. The file that includes this defines one of the
// macros.
#ifndef WAIT
#define WAIT __pipeline_wait_prior(kSlots - 3)
#endif
#ifndef BARRIER
#define BARRIER __syncthreads()
#endif
#ifndef FREE  // the slot that is filled
#define FREE free
#endif
#ifndef BEHIND_BRING
#define BEHIND_BRING
#endif
#ifndef READ_BEFORE_WAIT
#define READ_BEFORE_WAIT
#define READ_BEHIND_WAIT READ_NEXT
#endif
#define READ_NEXT read(of_a[(k + 1) % 2], of_b[(k + 1) % 2], tile, now, (k + 1) % kTerms, row, column);
#include "without_rounds.cuh"

template <bool kWhole, class Tile>
__device__ void add_k_tiles(float (&sums)[kRows][kColumns], Tile& tile, TileLoader<Tile>& loader, unsigned k_tiles,
                            unsigned row, unsigned column) {
  float of_a[2][kRows], of_b[2][kColumns];  // of this term, and of the next
  for (unsigned slot = 0; slot < kSlots - 1; ++slot) {
    for (unsigned part = 0; part < kTerms; ++part) bring<kWhole>(loader, tile, slot, part);
  }
  __pipeline_wait_prior(kSlots - 2);
  __syncthreads();
  read(of_a[0], of_b[0], tile, 0, 0, row, column);
  unsigned now = 0, free = kSlots - 1;
  for (unsigned k_tile = 0; k_tile < k_tiles; ++k_tile) {
#pragma unroll
    for (unsigned k = 0; k < kTerms; ++k) {
      READ_BEFORE_WAIT
      if (k == kTerms - 1) {
        WAIT;
        BARRIER;
        now = now == kSlots - 1 ? 0 : now + 1;
      }
      READ_BEHIND_WAIT
      multiply_add(sums, of_a[k % 2], of_b[k % 2]);
      bring<kWhole>(loader, tile, FREE, k);
      BEHIND_BRING
    }
    free = free == kSlots - 1 ? 0 : free + 1;
  }
}
#undef WAIT
#undef BARRIER
#undef FREE
#undef BEHIND_BRING
#undef READ_BEFORE_WAIT
#undef READ_BEHIND_WAIT
#undef READ_NEXT
