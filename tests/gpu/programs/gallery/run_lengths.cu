// SPDX-License-Identifier: MIT
// Run-length encoding and decoding: where runs begin is scanned by one block, and each element finds its run again.
#include "gallery.h"

constexpr int n = 1024;

__global__ void encode(const int* in, int* values, int* begins, int* runs) {
  __shared__ int places[n];
  const int i = threadIdx.x;
  const bool begins_here = i == 0 || in[i] != in[i - 1];
  places[i] = begins_here;
  __syncthreads();
  for (int step = 1; step < n; step *= 2) {
    const int left = i >= step ? places[i - step] : 0;
    __syncthreads();
    places[i] += left;
    __syncthreads();
  }
  if (begins_here) {
    values[places[i] - 1] = in[i];
    begins[places[i] - 1] = i;
  }
  if (i == n - 1) *runs = places[i];
}

__global__ void decode(const int* values, const int* begins, const int* runs, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int low = 0, high = *runs;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (begins[middle] <= i ? low : high) = middle;
  }
  out[i] = values[low];
}

bool program() {
  std::vector<int> in(n), values, begins;
  for (int i = 0; i < n; ++i) {
    in[i] = i > 0 && scramble(i) % 4 != 0 ? in[i - 1] : static_cast<int>(scramble(i + n) % 100);
    if (i > 0 && in[i] == in[i - 1]) continue;
    values.push_back(in[i]);
    begins.push_back(i);
  }
  Buffer<int> d_in(in), d_values(n), d_begins(n), runs(1), out(n);
  encode<<<1, n>>>(d_in, d_values, d_begins, runs);
  decode<<<n / 128, 128>>>(d_values, d_begins, runs, out);
  const std::size_t found = static_cast<std::size_t>(runs.host()[0]);
  if (found != values.size()) return false;
  std::vector<int> got(found), got_begins(found);
  checkCudaErrors(cudaMemcpy(got.data(), d_values, found * sizeof(int), cudaMemcpyDeviceToHost));
  checkCudaErrors(cudaMemcpy(got_begins.data(), d_begins, found * sizeof(int), cudaMemcpyDeviceToHost));
  return got == values && got_begins == begins && out.host() == in;
}
