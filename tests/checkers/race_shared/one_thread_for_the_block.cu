// finds: race scope=block
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: put __syncthreads()
// says: where all threads of the block come by
// says: ::draw()
// says: shared variable 'turn' of
// does not say: put __syncwarp()
// One thread draws for its block, in a function with a shared variable of its own. The others do not wait for it.
#include "../planted.h"

struct Turn {
  int tile;
};

__device__ Turn draw(int* drawn) {
  __shared__ Turn turn;
  if (threadIdx.x == 0) turn = {};
  __syncthreads();
  if (threadIdx.x == 0) {
    turn.tile = atomicAdd(drawn, 1);  // <- other
  }
#ifdef REPAIRED
  __syncthreads();
#endif
  return turn;  // <- here
}

__global__ void number(int* drawn, int* out) {
  const Turn turn = draw(drawn);
  out[threadIdx.x] = turn.tile;
}

int main() {
  const DeviceArray<int> drawn(1), out(64);
  number<<<1, 64>>>(drawn, out);
  return finish(out);
}
