// refused: failed-call: the job's stream is captured, and it may be the default stream, which cannot be
// SPDX-License-Identifier: MIT
// shown by: --size 4100 --piece 1000
// hint: default-stream-captured
#include "workbook/student/pieces.h"

#define make_graph right_make_graph  // all but what follows is the answer
#include "../solution.cu"
#undef make_graph

cudaGraphExec_t make_graph(const Job& job) {
  const cudaStream_t origin = job.stream;
  CUDA_CHECK(cudaStreamBeginCapture(origin, cudaStreamCaptureModeThreadLocal));
  if (job.n > 0) {
    put_pieces(job, origin);
  }
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  CUDA_CHECK(cudaStreamEndCapture(origin, &graph));
  CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CUDA_CHECK(cudaGraphDestroy(graph));
  return executable;
}
