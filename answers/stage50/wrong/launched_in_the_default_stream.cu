// refused: stream-order: the graph is launched into the default stream, and the job's stream does not wait for it
// SPDX-License-Identifier: MIT
// shown by: --cases quick
// hint: graph-in-another-stream
#include "workbook/student/pieces.h"

#define launch_graph right_launch_graph  // all but what follows is the answer
#include "../solution.cu"
#undef launch_graph

void launch_graph(cudaGraphExec_t graph, cudaStream_t) { CUDA_CHECK(cudaGraphLaunch(graph, nullptr)); }
