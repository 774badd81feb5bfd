# SPDX-License-Identifier: MIT
"""Convolution in one dimension: each element of `out` is the sum of four elements of `a`, from its own on, each times
its weight. After the end of `a` come zeros. A block reads its elements, and the three after them, into shared memory."""

import numpy as np
from numba import cuda, float32

from puzzle import main, numbers


@cuda.jit(lineinfo=True)
def right(out, a, weights):
    part = cuda.shared.array(67, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    part[t] = a[i] if i < a.size else 0
    if t < 3:
        part[t + 64] = a[i + 64] if i + 64 < a.size else 0
    cuda.syncthreads()
    if i < out.size:
        total = float32(0)
        for k in range(4):
            total += part[t + k] * weights[k]
        out[i] = total


@cuda.jit(lineinfo=True)
def wrong_no_room(out, a, weights):
    part = cuda.shared.array(64, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    part[t] = a[i] if i < a.size else 0
    cuda.syncthreads()
    if i < out.size:
        total = float32(0)
        for k in range(4):
            total += part[t + k] * weights[k]  #: out-of-bounds
        out[i] = total


@cuda.jit(lineinfo=True)
def wrong_three_not_read(out, a, weights):
    part = cuda.shared.array(67, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    part[t] = a[i] if i < a.size else 0
    cuda.syncthreads()
    if i < out.size:
        total = float32(0)
        for k in range(4):
            total += part[t + k] * weights[k]  #: uninitialised
        out[i] = total


@cuda.jit(lineinfo=True)
def wrong_after_the_end(out, a, weights):
    part = cuda.shared.array(67, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    part[t] = a[i] if i < a.size else 0
    if t < 3:
        part[t + 64] = a[i + 64]  #: out-of-bounds
    cuda.syncthreads()
    if i < out.size:
        total = float32(0)
        for k in range(4):
            total += part[t + k] * weights[k]
        out[i] = total


if __name__ == "__main__":
    A, W = numbers(150), np.array([1, 4, 2, 3], np.float32)
    SUMS = np.correlate(np.append(A, np.zeros(3, np.float32)), W)
    main(globals(), 3, 64, SUMS, A, W)
