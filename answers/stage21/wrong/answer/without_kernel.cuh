// SPDX-License-Identifier: MIT
// The answer of stage 21 without its kernel. The kernel of the including file takes its place, in one form of four, as
// each takes long to compile. This form asks for each number whether it exists. It is for 2 x 2 warps, unless the file
// defines WRONG_ACROSS as 4. Where the file defines WRONG_WHOLE, it is the form for which everything exists.
#include "linked_answer.cuh"

#ifndef WRONG_ACROSS
#define WRONG_ACROSS 2
#endif

using namespace right;

template <unsigned kDown, unsigned kAcross, bool kWhole>
__global__ void multiply_pipelined(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c,
                                   unsigned tiles_down, unsigned tiles_across);

void multiply_on_device(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, dim3 block,
                        cudaStream_t stream) {
#ifdef WRONG_WHOLE
  right::multiply_pipelined<2, WRONG_ACROSS, true> = multiply_pipelined<2, WRONG_ACROSS, true>;
#else
  right::multiply_pipelined<2, WRONG_ACROSS, false> = multiply_pipelined<2, WRONG_ACROSS, false>;
  right::multiply_pipelined<2, WRONG_ACROSS, true> = multiply_pipelined<2, WRONG_ACROSS, false>;
#endif
  right::multiply_on_device(a, b, c, block, stream);
}
#undef WRONG_ACROSS
#undef WRONG_WHOLE
