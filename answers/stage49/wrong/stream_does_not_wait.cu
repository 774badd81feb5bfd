// refused: stream-order: the job's stream does not wait for the lanes, and what follows takes the output too early
// SPDX-License-Identifier: MIT
// shown by: --size 4100 --piece 1000
// hint: lanes-and-stream
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
    const Lane& lane = job.lanes[turn % kLanes];
    put_piece(job, begin, lane.memory, lane.stream);
    ++turn;
  }
}
