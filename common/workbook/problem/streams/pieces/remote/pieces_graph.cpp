// SPDX-License-Identifier: MIT
#include "workbook/problem/streams/pieces/remote/host_arrays.h"

WORKBOOK_ENTRY(void, launch_graph, (cudaGraphExec_t graph, cudaStream_t stream), graph, stream)

#ifdef WORKBOOK_STUDENT_PROCESS
WORKBOOK_ENTRY(cudaGraphExec_t, make_graph, (const workbook::Job& job), job)
#else
cudaGraphExec_t make_graph(const workbook::Job& job) {
  return workbook::value_of<cudaGraphExec_t>(workbook::call_student("make_graph", workbook::job_of_student(job)));
}
#endif
