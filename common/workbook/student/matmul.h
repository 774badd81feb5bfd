// SPDX-License-Identifier: MIT
// The product of two matrices: the function that a stage defines.
#pragma once

#include "workbook/student/matrix.h"

/// c(i, j) = the sum over k of a(i, k) * b(k, j), in float. The function only puts work into the stream: no allocation,
/// no copy to the host, no waiting.
///
/// * a, b, c  Matrices in DEVICE memory, each with a pitch of its own. The matrix a has c.rows rows, and b has
///            c.columns columns. The extent a.columns is b.rows. Any of the three extents may be 0, and each is below
///            2^31. Where a has no columns, c becomes zero. The matrix c overlaps neither a nor b, which must not
///            change. The gaps between the rows may hold anything, NaN too.
/// * block    Threads a block, in x and y: one of those that the stage takes (--help lists them).
/// * stream   The stream for all work.
///
/// The additions may have any order. Each product and each sum is rounded to float, or both at once (fused). Throws
/// workbook::CudaError (through CUDA_CHECK) when a launch fails.
void multiply_on_device(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, dim3 block,
                        cudaStream_t stream);
