// SPDX-License-Identifier: MIT
// A long array of the host, and the functions that process it on the device, piece by piece. A piece is copied to the
// device, changed there, and copied back.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "workbook/student/cuda_check.h"
#include "workbook/student/todo.h"

namespace workbook {

/// The state of a random-number generator.
using State = std::uint32_t;

/// The state after this one (a linear congruential generator: Numerical Recipes, 2nd edition, section 7.1).
__host__ __device__ constexpr State next_state(State state) { return 1664525u * state + 1013904223u; }

constexpr unsigned kLanes = 3;

/// A stream, and what belongs to it. The workbook has made all of it.
struct Lane {
  cudaStream_t stream = nullptr;  ///< It waits for no other stream, unless an event makes it wait.
  cudaEvent_t event = nullptr;    ///< To be recorded in this stream.
  State* memory = nullptr;        ///< DEVICE memory for one piece.
};

/// The array, its pieces and the lanes.
struct Job {
  const State* input = nullptr;  ///< n states in HOST memory from allocate_on_host(). They must not change.
  State* output = nullptr;       ///< The same, for the result.
  std::size_t n = 0;             ///< Any number, also none.
  std::size_t piece = 1;         ///< States of a piece, at least 1. The last piece may have fewer.
  unsigned rounds = 0;           ///< How often next_state() is applied to each state.
  unsigned block_size = 0;       ///< Threads a block: a power of two from 32 to 1024.
  Lane lanes[kLanes];
  cudaStream_t stream =
      nullptr;                  ///< The work comes after what is in this stream. Later work of it comes after the job.
  cudaEvent_t begin = nullptr;  ///< To be recorded in this stream.
};

}  // namespace workbook

/// Host memory that the device reaches without the CPU: page-locked memory. `bytes` is at least 1. free_on_host() gives
/// it back.
void* allocate_on_host(std::size_t bytes);
void free_on_host(void* memory);

/// Applies next_state() `rounds` times to each state of the input. It only puts work into streams: no allocation, no
/// waiting of the host. Stage 49 defines it. Throws workbook::CudaError (through CUDA_CHECK) when a call fails.
void process_on_device(const workbook::Job& job);

/// The same as a graph. Stage 50 defines make_graph(), which is called once, and launch_graph(), which is called many
/// times. The job's arrays and lanes stay where they are, and what is in the input changes. The caller destroys the
/// graph.
cudaGraphExec_t make_graph(const workbook::Job& job);
/// Puts the graph's work into the stream.
void launch_graph(cudaGraphExec_t graph, cudaStream_t stream);
