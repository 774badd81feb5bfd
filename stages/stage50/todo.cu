// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 50 --todo`.
// As handed out: 95bd5f96186f. Leave this line: scripts/workbook sees by it whether you have begun.
// Stage 50: the same as a graph. The host puts the pieces into the lanes once, and a capture notes the work instead of
// starting it. From then on one call launches all of it.
#include <algorithm>
#include <cstddef>

#include "workbook/student/pieces.h"

using workbook::Job;
using workbook::kLanes;
using workbook::Lane;
using workbook::State;

void* allocate_on_host(std::size_t bytes) {
  void* memory = nullptr;
  CUDA_CHECK(cudaMallocHost(&memory, bytes));
  return memory;
}

void free_on_host(void* memory) { CUDA_CHECK(cudaFreeHost(memory)); }

// states[i] = the state that comes `rounds` rounds later. Launch: a thread for each i.
__global__ void advance(State* states, std::size_t n, unsigned rounds) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) {
    State state = states[i];
    for (unsigned round = 0; round < rounds; ++round) {
      state = workbook::next_state(state);
    }
    states[i] = state;
  }
}

// Puts three operations into the lane's stream, for the piece that begins at state number `begin`.
void put_piece(const Job& job, std::size_t begin, const Lane& lane) {
  const std::size_t n = std::min(job.piece, job.n - begin);
  const auto blocks = static_cast<unsigned>((n + job.block_size - 1) / job.block_size);
  CUDA_CHECK(cudaMemcpyAsync(lane.memory, job.input + begin, n * sizeof(State), cudaMemcpyHostToDevice, lane.stream));
  advance<<<blocks, job.block_size, 0, lane.stream>>>(lane.memory, n, job.rounds);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpyAsync(job.output + begin, lane.memory, n * sizeof(State), cudaMemcpyDeviceToHost, lane.stream));
}

// Puts all pieces into the lanes, in turn, in a stream that is being captured. The other lanes join the capture when
// they wait for an event of it, and `origin` waits for all of them before the capture ends.
void put_pieces(const Job& job, cudaStream_t origin) {
  // TODO (roughly 10 lines): step 2. As in stage 49, with `origin` in place of job.stream. `origin` is the stream
  //     of lane 0.
  (void)job, (void)origin;  // only keeps the compiler quiet: delete it
}

cudaGraphExec_t make_graph(const Job& job) {
  WORKBOOK_TODO("step 1: write make_graph and launch_graph, then delete this line");
  if (job.n > job.piece) WORKBOOK_TODO("step 2: write put_pieces, then delete this line");
  const cudaStream_t origin = job.lanes[0].stream;
  cudaGraphExec_t executable = nullptr;
  const auto put_all = [&] {
    if (job.n > job.piece) {
      put_pieces(job, origin);
    } else if (job.n > 0) {
      put_piece(job, 0, job.lanes[0]);  // one piece: no other one runs beside it
    }
  };
  // TODO (roughly 6 lines): step 1. Begin to capture `origin`, with cudaStreamCaptureModeThreadLocal. put_all() puts
  //     all the work into it. End the capture, which gives a cudaGraph_t. Instantiate it, which gives `executable`.
  //     Then the cudaGraph_t is no longer needed: destroy it.
  put_all();  // replace
  return executable;
}

void launch_graph(cudaGraphExec_t graph, cudaStream_t stream) {
  // TODO (1 line): step 1. Launch it, in `stream`.
  (void)graph, (void)stream;  // only keeps the compiler quiet: delete it
}
