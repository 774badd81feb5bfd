// refused: not-the-step: the first piece has a lane, and all others share another one
// SPDX-License-Identifier: MIT
// hint: step-overlap
#include "workbook/student/pieces.h"

#define process_on_device right_process_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef process_on_device

void process_on_device(const Job& job) {
  CUDA_CHECK(cudaEventRecord(job.begin, job.stream));
  for (const Lane& lane : job.lanes) {
    CUDA_CHECK(cudaStreamWaitEvent(lane.stream, job.begin));
  }
  for (std::size_t begin = 0; begin < job.n; begin += job.piece) {
    const Lane& lane = job.lanes[begin == 0 ? 0 : 1];
    put_piece(job, begin, lane.memory, lane.stream);
  }
  for (const Lane& lane : job.lanes) {
    CUDA_CHECK(cudaEventRecord(lane.event, lane.stream));
    CUDA_CHECK(cudaStreamWaitEvent(job.stream, lane.event));
  }
}
