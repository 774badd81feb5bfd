# SPDX-License-Identifier: MIT
"""Pooling: each element of `out` is the sum of that of `a` and of the two before it, as far as they exist. One block
reads each element once from global memory."""

import numpy as np
from numba import cuda, float32

from puzzle import main, numbers


@cuda.jit(lineinfo=True)
def right(out, a):
    part = cuda.shared.array(96, float32)
    i = cuda.threadIdx.x
    part[i] = a[i]
    cuda.syncthreads()
    total = part[i]
    for back in range(1, 3):
        if i >= back:
            total += part[i - back]
    out[i] = total


@cuda.jit(lineinfo=True)
def wrong_no_barrier(out, a):
    part = cuda.shared.array(96, float32)
    i = cuda.threadIdx.x
    part[i] = a[i]  #: race
    total = part[i]
    for back in range(1, 3):
        if i >= back:
            total += part[i - back]
    out[i] = total


@cuda.jit(lineinfo=True)
def wrong_before_the_first(out, a):  #: wrong result
    # Python counts a negative index from the end, and Numba does so, too.
    part = cuda.shared.array(96, float32)
    i = cuda.threadIdx.x
    part[i] = a[i]
    cuda.syncthreads()
    out[i] = part[i] + part[i - 1] + part[i - 2]


@cuda.jit(lineinfo=True)
def wrong_forwards(out, a):
    part = cuda.shared.array(96, float32)
    i = cuda.threadIdx.x
    part[i] = a[i]
    cuda.syncthreads()
    out[i] = part[i] + part[i + 1] + part[i + 2]  #: out-of-bounds


if __name__ == "__main__":
    A = numbers(96)
    main(globals(), 1, 96, np.convolve(A, np.ones(3, np.float32))[:96], A)
