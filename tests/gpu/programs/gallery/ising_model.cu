// SPDX-License-Identifier: MIT
// The Ising model on a torus: sites of one colour of a chessboard at a time, chances as whole numbers in constant
// memory.
#include "gallery.h"

constexpr int side = 64;
__constant__ unsigned chances[5];  // that a spin with so many aligned neighbours flips, of 2^32

__host__ __device__ int turned(const int* spins, int x, int y, int sweep, const unsigned* chance) {
  const int spin = spins[y * side + x];
  int aligned = 0;
  aligned += spins[y * side + (x + 1) % side] == spin;
  aligned += spins[y * side + (x + side - 1) % side] == spin;
  aligned += spins[(y + 1) % side * side + x] == spin;
  aligned += spins[(y + side - 1) % side * side + x] == spin;
  return scramble(sweep * side * side + y * side + x) < chance[aligned] ? -spin : spin;
}

__global__ void half_sweep(int* spins, int sweep, int colour) {
  const int y = blockIdx.x, x = 2 * threadIdx.x + (y + colour) % 2;
  spins[y * side + x] = turned(spins, x, y, sweep, chances);
}

bool program() {
  constexpr int sweeps = 6;
  unsigned chance[5];
  for (int aligned = 0; aligned < 5; ++aligned)
    chance[aligned] = aligned <= 2 ? ~0u : static_cast<unsigned>(std::exp(-0.9 * (2 * aligned - 4)) * 4294967295.0);
  checkCudaErrors(cudaMemcpyToSymbol(chances, chance, sizeof chance));
  std::vector<int> spins(side * side);
  for (int i = 0; i < side * side; ++i) spins[i] = scramble(i + 12345) % 2 ? 1 : -1;
  Buffer<int> d_spins(spins);
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (int colour = 0; colour < 2; ++colour) {
      half_sweep<<<side, side / 2>>>(d_spins, sweep, colour);
      for (int y = 0; y < side; ++y)
        for (int x = (y + colour) % 2; x < side; x += 2)
          spins[y * side + x] = turned(spins.data(), x, y, sweep, chance);
    }
  return d_spins.host() == spins;
}
