# SPDX-License-Identifier: MIT
"""Atomics: all threads change the same cells of `out`. Each operation on whole numbers that Numba has is one cell."""

import numpy as np
from numba import cuda

from puzzle import main


@cuda.jit(lineinfo=True)
def right(out, a):
    i = cuda.grid(1)
    cuda.atomic.add(out, 0, a[i])
    cuda.atomic.sub(out, 1, a[i])
    cuda.atomic.max(out, 2, a[i])
    cuda.atomic.min(out, 3, a[i])
    cuda.atomic.and_(out, 4, a[i])
    cuda.atomic.or_(out, 5, a[i])
    cuda.atomic.xor(out, 6, a[i])
    cuda.atomic.inc(out, 7, 99)
    cuda.atomic.dec(out, 8, 99)
    if i == 70:
        cuda.atomic.exch(out, 9, a[i])
    cuda.atomic.cas(out, 10, 0, a[70])


@cuda.jit(lineinfo=True)
def wrong_sum(out, a):
    i = cuda.grid(1)
    out[0] += a[i]  #: race


@cuda.jit(lineinfo=True)
def wrong_largest(out, a):
    i = cuda.grid(1)
    if a[i] > out[2]:
        cuda.atomic.exch(out, 2, a[i])  #: race


if __name__ == "__main__":
    A = ((np.arange(256) * 37 + 11) % 251 + 4).astype(np.uint32)
    START = np.array([0, 0, 0, 999, 127, 0, 0, 0, 0, 0, 0], np.uint32)
    BITS = np.bitwise_and.reduce(A) & 127, np.bitwise_or.reduce(A), np.bitwise_xor.reduce(A)
    EXPECTED = [A.sum(), 2**32 - A.sum(), A.max(), A.min(), *BITS, 256 % 100, -256 % 100, A[70], A[70]]
    main(globals(), 4, 64, np.array(EXPECTED, np.uint32), A, start=START)
