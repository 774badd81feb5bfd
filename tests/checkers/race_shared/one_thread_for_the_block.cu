// finds: race scope=block hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: put __syncthreads()
// says: where all threads of the block come by
// says: shared variable 'turn' of draw()
// does not say: put __syncwarp()
// One thread draws for its block, in a function with a shared variable of its own. The others do not wait for it.
#include "../planted.h"

struct Turn {
  int tile, round;
};

__device__ Turn draw(int* drawn) {
  __shared__ Turn turn;
  if (threadIdx.x == 0) {
    turn.round = 1;
    turn.tile = atomicAdd(drawn, 1);  // <- other
  }
#ifdef REPAIRED
  __syncthreads();
#endif
  return turn;  // <- here
}

__global__ void number(int* drawn, int* out) {
  const Turn turn = draw(drawn);
  out[blockIdx.x * blockDim.x + threadIdx.x] = turn.tile + turn.round;
}

int main() {
  const DeviceArray<int> drawn(1), out(128);
  number<<<2, 64>>>(drawn, out);
  return finish(out);
}
