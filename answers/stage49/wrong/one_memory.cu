// refused: stream-order: all lanes use the memory of lane 0
// SPDX-License-Identifier: MIT
// shown by: --size 4100 --piece 1000
// hint: lanes-share-memory
#include "workbook/student/pieces.h"

#define process_on_device right_process_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef process_on_device

void process_on_device(const Job& job) {
  CUDA_CHECK(cudaEventRecord(job.begin, job.stream));
  for (const Lane& lane : job.lanes) {
    CUDA_CHECK(cudaStreamWaitEvent(lane.stream, job.begin));
  }
  unsigned turn = 0;
  for (std::size_t begin = 0; begin < job.n; begin += job.piece) {
    put_piece(job, begin, job.lanes[0].memory, job.lanes[turn % kLanes].stream);
    ++turn;
  }
  for (const Lane& lane : job.lanes) {
    CUDA_CHECK(cudaEventRecord(lane.event, lane.stream));
    CUDA_CHECK(cudaStreamWaitEvent(job.stream, lane.event));
  }
}
