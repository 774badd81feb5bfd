// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 49 --todo`.
// As handed out: f8e5f7f3f8e9. Leave this line: scripts/workbook sees by it whether you have begun.
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
  WORKBOOK_TODO("step 1: write allocate_on_host and free_on_host, then delete this line");
  // TODO (1 line): step 1. cudaMallocHost() gives page-locked memory. std::malloc() gives pageable memory.
  (void)bytes;  // only keeps the compiler quiet: delete it
  return memory;
}

void free_on_host(void* memory) {
  // TODO (1 line): step 1. The call that gives back what the other one has allocated.
  (void)memory;  // only keeps the compiler quiet: delete it
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
  // TODO (roughly 5 lines): step 2. Two calls of cudaMemcpyAsync(), with a launch of advance() between them, all
  //     of them in `stream`. The input and the output are those of this piece.
  (void)memory, (void)stream, (void)n;  // only keeps the compiler quiet: delete it
}

// Puts all pieces into the lanes, in turn. Each lane has a stream and memory of its own.
void put_pieces(const Job& job) {
  // TODO (roughly 11 lines): step 3. First all lanes wait for what is in job.stream: record job.begin there, and let
  //     each lane wait for it. Then the pieces: number k goes into lane k % kLanes. At last job.stream waits for all
  //     lanes: each of them records its own event.
  (void)job;  // only keeps the compiler quiet: delete it
}

void process_on_device(const Job& job) {
  if (job.n == 0) {
    return;
  }
  WORKBOOK_TODO("step 2: write put_piece, then delete this line");
  if (job.n <= job.piece) {  // one piece: no other one runs beside it
    put_piece(job, 0, job.lanes[0].memory, job.stream);
    return;
  }
  WORKBOOK_TODO("step 3: write put_pieces, then delete this line");
  put_pieces(job);
}
