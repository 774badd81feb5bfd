# SPDX-License-Identifier: MIT
"""Sum of an axis: each element of `out` is the sum of a row of `a`. A block has a row."""

from numba import cuda, float32

from puzzle import main, numbers


@cuda.jit(lineinfo=True)
def right(out, a):
    part = cuda.shared.array(64, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    part[t] = a[row, t] if t < a.shape[1] else 0
    half = 32
    while half > 0:
        cuda.syncthreads()
        if t < half:
            part[t] += part[t + half]
        half //= 2
    if t == 0:
        out[row] = part[0]


@cuda.jit(lineinfo=True)
def wrong_into_the_next_row(out, a):
    part = cuda.shared.array(64, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    part[t] = a[row, t]  #: out-of-bounds
    half = 32
    while half > 0:
        cuda.syncthreads()
        if t < half:
            part[t] += part[t + half]
        half //= 2
    if t == 0:
        out[row] = part[0]


@cuda.jit(lineinfo=True)
def wrong_all_rows_in_one_cell(out, a):
    part = cuda.shared.array(64, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    part[t] = a[row, t] if t < a.shape[1] else 0
    half = 32
    while half > 0:
        cuda.syncthreads()
        if t < half:
            part[t] += part[t + half]
        half //= 2
    if t == 0:
        out[0] = part[0]  #: race


@cuda.jit(lineinfo=True)
def wrong_barrier_for_adders(out, a):
    part = cuda.shared.array(64, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    part[t] = a[row, t] if t < a.shape[1] else 0
    half = 32
    while half > 0:
        if t < half + 8:
            cuda.syncthreads()  #: barrier-divergence
        if t < half:
            part[t] += part[t + half]
        half //= 2
    if t == 0:
        out[row] = part[0]


if __name__ == "__main__":
    A = numbers(7, 50)
    main(globals(), 7, 64, A.sum(axis=1), A)
