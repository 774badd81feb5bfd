# SPDX-License-Identifier: MIT
"""Map: each element of `out` is three times that of `a`, less one. There are as many threads as elements."""

from numba import cuda

from puzzle import main, numbers


@cuda.jit(lineinfo=True)
def right(out, a):
    i = cuda.threadIdx.x
    out[i] = 3 * a[i] - 1


@cuda.jit(lineinfo=True)
def wrong_counts_from_one(out, a):
    i = cuda.threadIdx.x + 1
    out[i] = 3 * a[i] - 1  #: out-of-bounds


@cuda.jit(lineinfo=True)
def wrong_one_cell(out, a):
    i = cuda.threadIdx.x
    out[0] = 3 * a[i] - 1  #: race


if __name__ == "__main__":
    A = numbers(48)
    main(globals(), 1, 48, 3 * A - 1, A)
