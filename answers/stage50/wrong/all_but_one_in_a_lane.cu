// refused: not-the-step: the first piece has a lane, and all others share another one
// SPDX-License-Identifier: MIT
// hint: step-overlap
#include "workbook/student/pieces.h"

#define make_graph right_make_graph  // all but what follows is the answer
#include "../solution.cu"
#undef make_graph

void put_wrong_pieces(const Job& job, cudaStream_t origin) {
  CUDA_CHECK(cudaEventRecord(job.begin, origin));
  for (const Lane& lane : job.lanes) {
    CUDA_CHECK(cudaStreamWaitEvent(lane.stream, job.begin));
  }
  for (std::size_t begin = 0; begin < job.n; begin += job.piece) {
    put_piece(job, begin, job.lanes[begin == 0 ? 0 : 1]);
  }
  for (const Lane& lane : job.lanes) {
    CUDA_CHECK(cudaEventRecord(lane.event, lane.stream));
    CUDA_CHECK(cudaStreamWaitEvent(origin, lane.event));
  }
}

cudaGraphExec_t make_graph(const Job& job) {
  const cudaStream_t origin = job.lanes[0].stream;
  CUDA_CHECK(cudaStreamBeginCapture(origin, cudaStreamCaptureModeThreadLocal));
  if (job.n > 0) {
    put_wrong_pieces(job, origin);
  }
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  CUDA_CHECK(cudaStreamEndCapture(origin, &graph));
  CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CUDA_CHECK(cudaGraphDestroy(graph));
  return executable;
}
