// refused: wrong-result: each piece is copied from the beginning of the input
// SPDX-License-Identifier: MIT
// shown by: --size 4100 --piece 1000
// hint: place-of-a-piece
#include "workbook/student/pieces.h"

#define process_on_device right_process_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef process_on_device

void put_wrong_piece(const Job& job, std::size_t begin, State* memory, cudaStream_t stream) {
  const std::size_t n = std::min(job.piece, job.n - begin);
  const auto blocks = static_cast<unsigned>((n + job.block_size - 1) / job.block_size);
  CUDA_CHECK(cudaMemcpyAsync(memory, job.input, n * sizeof(State), cudaMemcpyHostToDevice, stream));
  advance<<<blocks, job.block_size, 0, stream>>>(memory, n, job.rounds);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpyAsync(job.output + begin, memory, n * sizeof(State), cudaMemcpyDeviceToHost, stream));
}

void process_on_device(const Job& job) {
  CUDA_CHECK(cudaEventRecord(job.begin, job.stream));
  for (const Lane& lane : job.lanes) {
    CUDA_CHECK(cudaStreamWaitEvent(lane.stream, job.begin));
  }
  unsigned turn = 0;
  for (std::size_t begin = 0; begin < job.n; begin += job.piece) {
    const Lane& lane = job.lanes[turn % kLanes];
    put_wrong_piece(job, begin, lane.memory, lane.stream);
    ++turn;
  }
  for (const Lane& lane : job.lanes) {
    CUDA_CHECK(cudaEventRecord(lane.event, lane.stream));
    CUDA_CHECK(cudaStreamWaitEvent(job.stream, lane.event));
  }
}
