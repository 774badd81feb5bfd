// SPDX-License-Identifier: MIT
// needs: compute_90
// needs CUDA: 12.4
// not simulated: fence.proxy.async
// Variant: one thread asks for a whole tile. It uses cp.async.bulk, the one-dimensional use of Hopper's copy engine. An
// mbarrier in shared memory counts the tile's bytes as they arrive. A ring of kLoads tiles: while one is added up, the
// others come.
// To expect: at best the answer's time, and more where n is small. One instruction in place of a thousand loads saves
// only what no thread waits for. The block has to meet before a place of the ring is used again.
#include <cuda/barrier>

#include "answer_parts.cuh"

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void __launch_bounds__(1024)
    reduce_tiles(const float* numbers, std::size_t n, float* partial_sums, unsigned* ticket) {
  extern __shared__ __align__(128) float4 ring[];      // kLoads tiles of blockDim.x vectors
#pragma nv_diag_suppress static_var_with_dynamic_init  // init() below is what initialises them
  __shared__ Barrier full[kLoads];
  const Layout layout(numbers, n);
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;

  // Thread 0: the copy of this block's tile number k, shorter at the end of the numbers.
  const auto start_copy = [&](std::size_t k) {
    const std::size_t begin = std::size_t{blockIdx.x} * blockDim.x + k * step;
    if (begin < layout.vector_count) {
      const std::size_t bytes = min(std::size_t{blockDim.x}, layout.vector_count - begin) * sizeof(float4);
      Barrier& arrived = full[k % kLoads];
      cuda::device::memcpy_async_tx(&ring[k % kLoads * blockDim.x], &layout.vectors[begin],
                                    cuda::aligned_size_t<16>(bytes), arrived);
      (void)cuda::device::barrier_arrive_tx(arrived, 1, static_cast<std::ptrdiff_t>(bytes));
    }
  };
  if (threadIdx.x == 0) {
    for (Barrier& arrived : full) {
      init(&arrived, 1);
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // the copy engine sees the barriers as they are now
    for (unsigned k = 0; k < kLoads; ++k) {
      start_copy(k);
    }
  }
  __syncthreads();

  float4 sums = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (std::size_t k = 0; std::size_t{blockIdx.x} * blockDim.x + k * step < layout.vector_count; ++k) {
    full[k % kLoads].wait_parity(k / kLoads % 2 != 0);  // each use of a place ends one phase of its barrier
    if (std::size_t{blockIdx.x} * blockDim.x + k * step + threadIdx.x < layout.vector_count) {
      add(sums, ring[k % kLoads * blockDim.x + threadIdx.x]);
    }
    __syncthreads();  // all have read the place that the next copy will overwrite
    if (threadIdx.x == 0) {
      start_copy(k + kLoads);
    }
  }

  const float sum = sum_of_block(sum_of_vector(sums) + head_and_tail(layout));
  if (threadIdx.x < 32) {
    combine_blocks(sum, partial_sums, ticket);
  }
}

const float* reduce_on_device(float* numbers, std::size_t n, unsigned block_size,
                              const workbook::Workspace& workspace) {
  const Grid grid = choose_grid(n, block_size);
  const std::size_t ring_bytes = kLoads * grid.threads * sizeof(float4);
  CUDA_CHECK(
      cudaFuncSetAttribute(reduce_tiles, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(ring_bytes)));
  reduce_tiles<<<grid.blocks, grid.threads, ring_bytes, workspace.stream>>>(numbers, n, workspace.partial_sums,
                                                                            workspace.ticket);
  CUDA_CHECK(cudaGetLastError());
  return workspace.partial_sums;
}
