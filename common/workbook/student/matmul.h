// SPDX-License-Identifier: MIT
// The product of two matrices: the function that a stage of it defines.
#pragma once

#include "workbook/student/matrix.h"

/// c(i, j) = the sum over k of a(i, k) * b(k, j), in float. Only what has to be put into the stream: no allocation, no
/// copy to the host, no waiting.
///
/// a, b, c  matrices in DEVICE memory, each with a pitch of its own: a has c.rows rows, b has c.columns columns, and
///          a.columns is b.rows. Any of the three extents may be 0; where a has no columns, c becomes zero. c overlaps
///          neither a nor b, which must not change. What lies between the rows may be anything, NaN too.
/// block    threads a block, in x and y: one of those that the stage takes (--help lists them).
/// stream   where the work goes.
/// The additions may be taken in any order; each product and each sum is rounded to float, or both at once (fused).
/// Throws workbook::CudaError (through CUDA_CHECK) when a launch fails.
void multiply_on_device(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, dim3 block,
                        cudaStream_t stream);
