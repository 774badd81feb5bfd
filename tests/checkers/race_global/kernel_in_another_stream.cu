// finds: stream-order is_store=false
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: in the default stream, reads memory that cudaMemcpyAsync, in stream 1 of the program, writes
// The input is copied in a stream of its own, which does not wait for the default stream. The launch forgets to name
// the stream. So the kernel may run before its input is there.
#include "../planted.h"

__global__ void add_one(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x] + 1;  // <- here
}

int main() {
  const DeviceArray<int> in(64, Unwritten{}), out(64, Unwritten{});
  const std::vector<int> values(64, 5);
  cudaStream_t stream = nullptr;
  must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  must(cudaMemcpyAsync(in, values.data(), in.bytes(), cudaMemcpyHostToDevice, stream));  // <- other
#ifdef REPAIRED
  add_one<<<1, 64, 0, stream>>>(in, out);
#else
  add_one<<<1, 64>>>(in, out);
#endif
  const int status = finish(out);
  must(cudaStreamDestroy(stream));
  return status;
}
