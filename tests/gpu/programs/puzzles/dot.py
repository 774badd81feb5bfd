# SPDX-License-Identifier: MIT
"""Dot product: `out` is the sum of the products of `a` and `b`. One block adds them in shared memory."""

import numpy as np
from numba import cuda, float32

from puzzle import main, numbers


@cuda.jit(lineinfo=True)
def right(out, a, b):
    part = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    part[t] = a[t] * b[t] if t < a.size else 0
    half = 64
    while half > 0:
        cuda.syncthreads()
        if t < half:
            part[t] += part[t + half]
        half //= 2
    if t == 0:
        out[0] = part[0]


@cuda.jit(lineinfo=True)
def wrong_one_barrier(out, a, b):
    part = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    part[t] = a[t] * b[t] if t < a.size else 0
    cuda.syncthreads()
    half = 64
    while half > 0:
        if t < half:
            part[t] += part[t + half]  #: race
        half //= 2
    if t == 0:
        out[0] = part[0]


@cuda.jit(lineinfo=True)
def wrong_all_add(out, a, b):
    t = cuda.threadIdx.x
    if t == 0:
        out[0] = 0
    cuda.syncthreads()
    if t < a.size:
        out[0] += a[t] * b[t]  #: race


@cuda.jit(lineinfo=True)
def wrong_rest_not_written(out, a, b):
    part = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    if t < a.size:
        part[t] = a[t] * b[t]
    half = 64
    while half > 0:
        cuda.syncthreads()
        if t < half:
            part[t] += part[t + half]  #: uninitialised
        half //= 2
    if t == 0:
        out[0] = part[0]


if __name__ == "__main__":
    A, B = numbers(200)[:100], numbers(200)[100:]
    main(globals(), 1, 128, np.array([A @ B]), A, B)
