// SPDX-License-Identifier: MIT
// needs: compute_80
// Variant: cp.async copies from global to shared memory without a register in between. A thread goes on while its
// copies are under way. Each thread has a ring of kLoads places of its own there, and keeps all of them full.
// To expect: no gain. As many bytes are under way as in the answer. They take a detour through shared memory, which
// shows where n is small. Copies pay where many threads use what one has loaded, or where registers are short.
#include <cuda_pipeline.h>

#include "answer_parts.cuh"

__global__ void __launch_bounds__(1024)
    reduce_through_ring(const float* numbers, std::size_t n, float* partial_sums, unsigned* ticket) {
  extern __shared__ float4 ring[];  // kLoads * blockDim.x: place k of thread t is ring[k * blockDim.x + t]
  const Layout layout(numbers, n);
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;

  // The copy of this thread's vector number k, or of none where there are no more. So the count of copies stays the
  // same.
  const auto start_copy = [&](std::size_t k) {
    const std::size_t i = first + k * step;
    if (i < layout.vector_count) {
      __pipeline_memcpy_async(&ring[k % kLoads * blockDim.x + threadIdx.x], &layout.vectors[i], sizeof(float4));
    }
    __pipeline_commit();
  };
  for (unsigned k = 0; k < kLoads; ++k) {
    start_copy(k);
  }
  float4 sums = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (std::size_t k = 0; first + k * step < layout.vector_count; ++k) {
    __pipeline_wait_prior(kLoads - 1);  // all but the newest kLoads - 1 have arrived. Its own copies: no barrier
    add(sums, ring[k % kLoads * blockDim.x + threadIdx.x]);
    start_copy(k + kLoads);  // into the place that has just been read
  }

  const float sum = sum_of_block(sum_of_vector(sums) + head_and_tail(layout));
  if (threadIdx.x < 32) {
    combine_blocks(sum, partial_sums, ticket);
  }
}

const float* reduce_on_device(float* numbers, std::size_t n, unsigned block_size,
                              const workbook::Workspace& workspace) {
  const Grid grid = choose_grid(n, block_size);
  const std::size_t ring_bytes =
      kLoads * grid.threads * sizeof(float4);  // 64 KiB for 1,024 threads: has to be asked for
  CUDA_CHECK(cudaFuncSetAttribute(reduce_through_ring, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(ring_bytes)));
  reduce_through_ring<<<grid.blocks, grid.threads, ring_bytes, workspace.stream>>>(numbers, n, workspace.partial_sums,
                                                                                   workspace.ticket);
  CUDA_CHECK(cudaGetLastError());
  return workspace.partial_sums;
}
