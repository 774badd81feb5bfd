// refused: not-the-step: all pieces are in one stream, one after the other
// SPDX-License-Identifier: MIT
// hint: step-overlap
#include "workbook/student/pieces.h"

#define process_on_device right_process_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef process_on_device

void process_on_device(const Job& job) {
  for (std::size_t begin = 0; begin < job.n; begin += job.piece) {
    put_piece(job, begin, job.lanes[0].memory, job.stream);
  }
}
