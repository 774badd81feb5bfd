// refused: stream-order: the lanes do not wait for what is in the job's stream, which fills the input
// SPDX-License-Identifier: MIT
// shown by: --size 4100 --piece 1000
// hint: lanes-and-stream
#include "workbook/student/pieces.h"

#define process_on_device right_process_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef process_on_device

void process_on_device(const Job& job) {
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
}
