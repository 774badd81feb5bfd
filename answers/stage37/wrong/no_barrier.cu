// refused: race: each thread has waited for its own copies, and not for those of the others
// SPDX-License-Identifier: MIT
// shown by: --size 20x36x40
// hint: race-in-block
#include "answer/without_add_rounds.cuh"

template <class Tiles, bool kWhole>
__device__ void add_k_tiles(Sums& sums, Tiles& tiles, TileLoader<Tiles, kWhole>& loader, unsigned k_tiles,
                            const Place& place) {
  Fragments fragments[2];
  for (unsigned slot = 0; slot < kSlots - 1; ++slot) {
    for (unsigned part = 0; part < Tiles::kSteps; ++part) loader.bring(tiles, slot, part);
  }
  __pipeline_wait_prior(kSlots - 2);
  unsigned now = 0, free = kSlots - 1;
  loader.bring(tiles, free, 0);
  load(fragments[0], tiles, now, 0, place);
  for (unsigned k_tile = 0; k_tile < k_tiles; ++k_tile) {
#pragma unroll
    for (unsigned step = 0; step < Tiles::kSteps; ++step) {
      if (step == Tiles::kSteps - 1) {
        __pipeline_wait_prior(kSlots - 2);
        free = now;
        now = now == kSlots - 1 ? 0 : now + 1;
      }
      load(fragments[(step + 1) % 2], tiles, now, (step + 1) % Tiles::kSteps, place);
      loader.bring(tiles, free, (step + 1) % Tiles::kSteps);
      add_products(sums, fragments[step % 2]);
    }
  }
}
