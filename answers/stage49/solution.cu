// SPDX-License-Identifier: MIT
// Stage 49: pieces in streams. An array of the host is processed on the device in pieces. While one piece is computed,
// the next one is copied in, and the one before is copied out. So the time is that of the slowest part, not the sum.
#include <algorithm>
#include <cstddef>

#include "workbook/student/pieces.h"

using workbook::Job;
using workbook::kLanes;
using workbook::Lane;
using workbook::State;

// Memory of the host that the device can reach by itself.
void* allocate_on_host(std::size_t bytes) {
  void* memory = nullptr;
  // UNTIL SOLVED: WORKBOOK_TODO("step 1: write allocate_on_host and free_on_host, then delete this line");
  // BEGIN SOLUTION: step 1. cudaMallocHost() gives page-locked memory. std::malloc() gives pageable memory.
  // UNTIL SOLVED: (void)bytes;  // only keeps the compiler quiet: delete it
  CUDA_CHECK(cudaMallocHost(&memory, bytes));
  // END SOLUTION
  return memory;
}

void free_on_host(void* memory) {
  // BEGIN SOLUTION: step 1. The call that gives back what the other one has allocated.
  // UNTIL SOLVED: (void)memory;  // only keeps the compiler quiet: delete it
  CUDA_CHECK(cudaFreeHost(memory));
  // END SOLUTION
}

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

// Puts three operations into `stream`, for the piece that begins at state number `begin`: a copy into `memory` on the
// device, the kernel, and a copy to the output. The host does not wait.
void put_piece(const Job& job, std::size_t begin, State* memory, cudaStream_t stream) {
  const std::size_t n = std::min(job.piece, job.n - begin);
  // BEGIN SOLUTION: step 2. Two calls of cudaMemcpyAsync(), with a launch of advance() between them, all
  //     of them in `stream`. The input and the output are those of this piece.
  // UNTIL SOLVED: (void)memory, (void)stream, (void)n;  // only keeps the compiler quiet: delete it
  CUDA_CHECK(cudaMemcpyAsync(memory, job.input + begin, n * sizeof(State), cudaMemcpyHostToDevice, stream));
  const auto blocks = static_cast<unsigned>((n + job.block_size - 1) / job.block_size);
  advance<<<blocks, job.block_size, 0, stream>>>(memory, n, job.rounds);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpyAsync(job.output + begin, memory, n * sizeof(State), cudaMemcpyDeviceToHost, stream));
  // END SOLUTION
}

// Puts all pieces into the lanes, in turn. Each lane has a stream and memory of its own.
void put_pieces(const Job& job) {
  // BEGIN SOLUTION: step 3. First all lanes wait for what is in job.stream: record job.begin there, and let
  //     each lane wait for it. Then the pieces: number k goes into lane k % kLanes. At last job.stream waits for all
  //     lanes: each of them records its own event.
  // UNTIL SOLVED: (void)job;  // only keeps the compiler quiet: delete it
  CUDA_CHECK(cudaEventRecord(job.begin, job.stream));
  for (const Lane& lane : job.lanes) {
    CUDA_CHECK(cudaStreamWaitEvent(lane.stream, job.begin));
  }
  unsigned turn = 0;
  for (std::size_t begin = 0; begin < job.n; begin += job.piece) {
    const Lane& lane = job.lanes[turn % kLanes];
    put_piece(job, begin, lane.memory, lane.stream);
    ++turn;
  }
  for (const Lane& lane : job.lanes) {
    CUDA_CHECK(cudaEventRecord(lane.event, lane.stream));
    CUDA_CHECK(cudaStreamWaitEvent(job.stream, lane.event));
  }
  // END SOLUTION
}

void process_on_device(const Job& job) {
  if (job.n == 0) {
    return;
  }
  // UNTIL SOLVED: WORKBOOK_TODO("step 2: write put_piece, then delete this line");
  if (job.n <= job.piece) {  // one piece: no other one runs beside it
    put_piece(job, 0, job.lanes[0].memory, job.stream);
    return;
  }
  // UNTIL SOLVED: WORKBOOK_TODO("step 3: write put_pieces, then delete this line");
  put_pieces(job);
}
