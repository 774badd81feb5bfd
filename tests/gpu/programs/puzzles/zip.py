# SPDX-License-Identifier: MIT
"""Zip: each element of `out` is the product of the elements of `a` and `b` at the same place."""

from numba import cuda

from puzzle import main, numbers


@cuda.jit(lineinfo=True)
def right(out, a, b):
    i = cuda.threadIdx.x
    out[i] = a[i] * b[i]


@cuda.jit(lineinfo=True)
def wrong_one_input(out, a, b):  #: wrong result
    i = cuda.threadIdx.x
    out[i] = a[i] * a[i]


@cuda.jit(lineinfo=True)
def wrong_backwards(out, a, b):
    i = cuda.threadIdx.x
    out[i] = a[i] * b[b.size - i]  #: out-of-bounds


if __name__ == "__main__":
    A, B = numbers(80)[:40], numbers(80)[40:]
    main(globals(), 1, 40, A * B, A, B)
