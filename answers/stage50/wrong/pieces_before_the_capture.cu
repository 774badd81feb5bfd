// refused: wrong-result: the work is put before the capture begins, so that it runs once, and the graph is empty
// SPDX-License-Identifier: MIT
// shown by: --size 1000 --piece 1000
// hint: ran-at-once
#include "workbook/student/pieces.h"

#define make_graph right_make_graph  // all but what follows is the answer
#include "../solution.cu"
#undef make_graph

cudaGraphExec_t make_graph(const Job& job) {
  const cudaStream_t origin = job.lanes[0].stream;
  if (job.n > 0) {
    put_pieces(job, origin);
  }
  CUDA_CHECK(cudaStreamBeginCapture(origin, cudaStreamCaptureModeThreadLocal));
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  CUDA_CHECK(cudaStreamEndCapture(origin, &graph));
  CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CUDA_CHECK(cudaGraphDestroy(graph));
  return executable;
}
