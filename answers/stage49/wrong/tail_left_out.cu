// refused: wrong-result: n / piece rounds down, and the last piece is left out
// SPDX-License-Identifier: MIT
// shown by: --size 4100 --piece 1000
// hint: pieces-left-out
#include "workbook/student/pieces.h"

#define process_on_device right_process_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef process_on_device

void process_on_device(const Job& job) {
  CUDA_CHECK(cudaEventRecord(job.begin, job.stream));
  for (const Lane& lane : job.lanes) {
    CUDA_CHECK(cudaStreamWaitEvent(lane.stream, job.begin));
  }
  for (std::size_t k = 0; k < job.n / job.piece; ++k) {
    const Lane& lane = job.lanes[k % kLanes];
    put_piece(job, k * job.piece, lane.memory, lane.stream);
  }
  for (const Lane& lane : job.lanes) {
    CUDA_CHECK(cudaEventRecord(lane.event, lane.stream));
    CUDA_CHECK(cudaStreamWaitEvent(job.stream, lane.event));
  }
}
