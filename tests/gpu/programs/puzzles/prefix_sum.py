# SPDX-License-Identifier: MIT
"""Prefix sum: each element of `out` is the sum of the elements of `a` up to its own. One block, and as many threads as
elements."""

import numpy as np
from numba import cuda, float32

from puzzle import main, numbers


@cuda.jit(lineinfo=True)
def right(out, a):
    sums = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    sums[t] = a[t]
    cuda.syncthreads()
    step = 1
    while step < 128:
        left = sums[t - step] if t >= step else float32(0)
        cuda.syncthreads()
        sums[t] += left
        cuda.syncthreads()
        step *= 2
    out[t] = sums[t]


@cuda.jit(lineinfo=True)
def wrong_no_barrier_after_the_read(out, a):
    sums = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    sums[t] = a[t]
    cuda.syncthreads()
    step = 1
    while step < 128:
        left = sums[t - step] if t >= step else float32(0)
        sums[t] += left  #: race
        cuda.syncthreads()
        step *= 2
    out[t] = sums[t]


@cuda.jit(lineinfo=True)
def wrong_no_barrier_after_the_write(out, a):
    sums = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    sums[t] = a[t]
    cuda.syncthreads()
    step = 1
    while step < 128:
        left = sums[t - step] if t >= step else float32(0)
        cuda.syncthreads()
        sums[t] += left  #: race
        step *= 2
    out[t] = sums[t]


@cuda.jit(lineinfo=True)
def wrong_last_step_missing(out, a):  #: wrong result
    sums = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    sums[t] = a[t]
    cuda.syncthreads()
    step = 1
    while step < 64:
        left = sums[t - step] if t >= step else float32(0)
        cuda.syncthreads()
        sums[t] += left
        cuda.syncthreads()
        step *= 2
    out[t] = sums[t]


if __name__ == "__main__":
    A = numbers(128)
    main(globals(), 1, 128, np.cumsum(A), A)
