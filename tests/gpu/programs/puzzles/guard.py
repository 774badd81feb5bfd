# SPDX-License-Identifier: MIT
"""Guard: each element of `out` is that of `a`, negated. There are more threads than elements."""

from numba import cuda

from puzzle import main, numbers


@cuda.jit(lineinfo=True)
def right(out, a):
    i = cuda.threadIdx.x
    if i < out.size:
        out[i] = -a[i]


@cuda.jit(lineinfo=True)
def wrong_no_guard(out, a):
    i = cuda.threadIdx.x
    out[i] = -a[i]  #: out-of-bounds


@cuda.jit(lineinfo=True)
def wrong_one_too_many(out, a):
    i = cuda.threadIdx.x
    if i <= out.size:
        out[i] = -a[i]  #: out-of-bounds


if __name__ == "__main__":
    A = numbers(41)
    main(globals(), 1, 64, -A, A)
