// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: 33 errors
// says: memory of the host
// The kernel gets a pointer to the host's own memory. (GPUs that share the host's page tables let it pass.)
#include "../planted.h"

__global__ void fill(int* out) {
  out[threadIdx.x] = 1;  // <- here
}

int main() {
  std::vector<int> on_host(32);
#ifdef REPAIRED
  const DeviceArray<int> out(32);
  fill<<<1, 32>>>(out);
  must(cudaMemcpy(on_host.data(), out, out.bytes(), cudaMemcpyDeviceToHost));
#else
  fill<<<1, 32>>>(on_host.data());
#endif
  return finish();
}
