# SPDX-License-Identifier: MIT
"""Broadcast: `out` is the product of each element of a column with each element of a row."""

from numba import cuda

from puzzle import main, numbers


@cuda.jit(lineinfo=True)
def right(out, column, row):
    j, i = cuda.threadIdx.x, cuda.threadIdx.y
    if i < out.shape[0] and j < out.shape[1]:
        out[i, j] = column[i, 0] * row[0, j]


@cuda.jit(lineinfo=True)
def wrong_either(out, column, row):
    j, i = cuda.threadIdx.x, cuda.threadIdx.y
    if i < out.shape[0] or j < out.shape[1]:
        out[i, j] = column[i, 0] * row[0, j]  #: out-of-bounds


@cuda.jit(lineinfo=True)
def wrong_index(out, column, row):
    j, i = cuda.threadIdx.x, cuda.threadIdx.y
    if i < out.shape[0] and j < out.shape[1]:
        out[i, j] = column[j, 0] * row[0, j]  #: out-of-bounds


if __name__ == "__main__":
    A, B = numbers(6, 1), numbers(1, 13)
    main(globals(), 1, (16, 8), A * B, A, B)
