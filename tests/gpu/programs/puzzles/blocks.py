# SPDX-License-Identifier: MIT
"""Blocks: each element of `out` is the square of that of `a`. No block is large enough alone."""

from numba import cuda

from puzzle import main, numbers


@cuda.jit(lineinfo=True)
def right(out, a):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if i < out.size:
        out[i] = a[i] * a[i]


@cuda.jit(lineinfo=True)
def wrong_first_block_only(out, a):  #: wrong result
    i = cuda.threadIdx.x
    if i < out.size:
        out[i] = a[i] * a[i]


@cuda.jit(lineinfo=True)
def wrong_blocks_overlap(out, a):  #: wrong result
    i = cuda.blockIdx.x * 16 + cuda.threadIdx.x
    if i < out.size:
        out[i] = a[i] * a[i]


@cuda.jit(lineinfo=True)
def wrong_no_guard(out, a):
    i = cuda.grid(1)
    out[i] = a[i] * a[i]  #: out-of-bounds


if __name__ == "__main__":
    A = numbers(100)
    main(globals(), 4, 32, A * A, A)
