# SPDX-License-Identifier: MIT
"""Map in two dimensions: each element of `out` is that of `a`, plus its row times 100. A block covers the matrix, and
more."""

import numpy as np
from numba import cuda

from puzzle import main, numbers


@cuda.jit(lineinfo=True)
def right(out, a):
    column, row = cuda.threadIdx.x, cuda.threadIdx.y
    if row < out.shape[0] and column < out.shape[1]:
        out[row, column] = a[row, column] + 100 * row


@cuda.jit(lineinfo=True)
def wrong_rows_only(out, a):
    column, row = cuda.threadIdx.x, cuda.threadIdx.y
    if row < out.shape[0]:
        out[row, column] = a[row, column] + 100 * row  #: out-of-bounds


@cuda.jit(lineinfo=True)
def wrong_exchanged(out, a):
    row, column = cuda.threadIdx.x, cuda.threadIdx.y
    if column < out.shape[0] and row < out.shape[1]:
        out[row, column] = a[row, column] + 100 * row  #: out-of-bounds


if __name__ == "__main__":
    A = numbers(5, 11)
    main(globals(), 1, (16, 8), A + 100 * np.arange(5, dtype=np.float32)[:, None], A)
