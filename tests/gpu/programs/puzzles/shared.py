# SPDX-License-Identifier: MIT
"""Shared memory: each block turns its 64 elements round, and reads each of them once from global memory."""

from numba import cuda, float32

from puzzle import main, numbers


@cuda.jit(lineinfo=True)
def right(out, a):
    part = cuda.shared.array(64, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    part[t] = a[i]
    cuda.syncthreads()
    out[i] = part[63 - t]


@cuda.jit(lineinfo=True)
def wrong_no_barrier(out, a):
    part = cuda.shared.array(64, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    part[t] = a[i]  #: race
    out[i] = part[63 - t]


@cuda.jit(lineinfo=True)
def wrong_barrier_for_some(out, a):
    part = cuda.shared.array(64, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    part[t] = a[i]
    if t < 40:
        cuda.syncthreads()  #: barrier-divergence
        part[t] += 0
    out[i] = part[63 - t]


@cuda.jit(lineinfo=True)
def wrong_array_too_small(out, a):
    part = cuda.shared.array(32, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    part[t] = a[i]  #: out-of-bounds
    cuda.syncthreads()
    out[i] = part[63 - t]


if __name__ == "__main__":
    A = numbers(192)
    main(globals(), 3, 64, A.reshape(3, 64)[:, ::-1].reshape(-1), A)
