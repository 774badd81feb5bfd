// finds: stream-order is_store=true is_atomic=true
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: in stream 1 of the program, writes memory that cudaMemset, in the default stream, writes
// Here cudaMemset is put into the default stream. A stream made with cudaStreamNonBlocking does not wait for that. So
// the sum may be set to 0 when numbers were added already. The repaired program sets it in the kernel's stream.
#include "../planted.h"

__global__ void sum_all(const int* in, int* sum) {
  atomicAdd(sum, in[threadIdx.x]);  // <- here
}

int main() {
  const DeviceArray<int> in(64, 10), sum(1, Unwritten{});
  cudaStream_t stream = nullptr;
  must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
#ifdef REPAIRED
  must(cudaMemsetAsync(sum, 0, sum.bytes(), stream));
#else
  must(cudaMemset(sum, 0, sum.bytes()));  // <- other
#endif
  sum_all<<<1, 64, 0, stream>>>(in, sum);
  const int status = finish(sum);
  must(cudaStreamDestroy(stream));
  return status;
}
