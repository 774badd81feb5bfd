# SPDX-License-Identifier: MIT
"""Atomics of floats: all threads change the same cells, in shared memory first. Numba has no machine instruction for
the largest and the smallest, and repeats a compare-and-swap. One element is no number, and counts for nothing."""

import numpy as np
from numba import cuda, float64

from puzzle import main


@cuda.jit(lineinfo=True)
def right(out, a):
    t, i = cuda.threadIdx.x, cuda.grid(1)
    of_block = cuda.shared.array(3, float64)
    if t < 3:
        of_block[t] = 500 if t == 1 else -500 if t == 0 else 0
    cuda.syncthreads()
    cuda.atomic.nanmax(of_block, 0, a[i])
    cuda.atomic.nanmin(of_block, 1, a[i])
    if a[i] == a[i]:
        cuda.atomic.add(of_block, 2, a[i])
    cuda.syncthreads()
    if t == 0:
        cuda.atomic.max(out, 0, of_block[0])
        cuda.atomic.min(out, 1, of_block[1])
        cuda.atomic.add(out, 2, of_block[2])


@cuda.jit(lineinfo=True)
def wrong_largest(out, a):
    i = cuda.grid(1)
    cuda.atomic.nanmax(out, 0, a[i])
    if i == 0:
        out[1] = out[0]  #: race


if __name__ == "__main__":
    A = ((np.arange(256) * 37 + 11) % 251 - 97).astype(np.float64)
    A[100] = np.nan
    EXPECTED = np.array([np.nanmax(A), np.nanmin(A), np.nansum(A)])
    main(globals(), 4, 64, EXPECTED, A, start=np.array([-500.0, 500.0, 0.0]))
