# SPDX-License-Identifier: MIT
"""Matrix product: a block computes a tile of 16 x 16 elements, and reads tiles of `a` and `b` through shared memory.
The matrices are no whole number of tiles."""

from numba import cuda, float32

from puzzle import main, numbers


@cuda.jit(lineinfo=True)
def right(out, a, b):
    a_tile = cuda.shared.array((16, 16), float32)
    b_tile = cuda.shared.array((16, 16), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    column, row = cuda.grid(2)
    total = float32(0)
    for first in range(0, a.shape[1], 16):
        a_tile[y, x] = a[row, first + x] if row < a.shape[0] and first + x < a.shape[1] else 0
        b_tile[y, x] = b[first + y, column] if first + y < b.shape[0] and column < b.shape[1] else 0
        cuda.syncthreads()
        for k in range(16):
            total += a_tile[y, k] * b_tile[k, x]
        cuda.syncthreads()
    if row < out.shape[0] and column < out.shape[1]:
        out[row, column] = total


@cuda.jit(lineinfo=True)
def wrong_no_second_barrier(out, a, b):
    a_tile = cuda.shared.array((16, 16), float32)
    b_tile = cuda.shared.array((16, 16), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    column, row = cuda.grid(2)
    total = float32(0)
    for first in range(0, a.shape[1], 16):
        a_tile[y, x] = a[row, first + x] if row < a.shape[0] and first + x < a.shape[1] else 0
        b_tile[y, x] = b[first + y, column] if first + y < b.shape[0] and column < b.shape[1] else 0  #: race
        cuda.syncthreads()
        for k in range(16):
            total += a_tile[y, k] * b_tile[k, x]
    if row < out.shape[0] and column < out.shape[1]:
        out[row, column] = total


@cuda.jit(lineinfo=True)
def wrong_no_first_barrier(out, a, b):
    a_tile = cuda.shared.array((16, 16), float32)
    b_tile = cuda.shared.array((16, 16), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    column, row = cuda.grid(2)
    total = float32(0)
    for first in range(0, a.shape[1], 16):
        a_tile[y, x] = a[row, first + x] if row < a.shape[0] and first + x < a.shape[1] else 0
        b_tile[y, x] = b[first + y, column] if first + y < b.shape[0] and column < b.shape[1] else 0  #: race
        for k in range(16):
            total += a_tile[y, k] * b_tile[k, x]
        cuda.syncthreads()
    if row < out.shape[0] and column < out.shape[1]:
        out[row, column] = total


@cuda.jit(lineinfo=True)
def wrong_tile_turned(out, a, b):  #: wrong result
    a_tile = cuda.shared.array((16, 16), float32)
    b_tile = cuda.shared.array((16, 16), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    column, row = cuda.grid(2)
    total = float32(0)
    for first in range(0, a.shape[1], 16):
        a_tile[y, x] = a[row, first + x] if row < a.shape[0] and first + x < a.shape[1] else 0
        b_tile[y, x] = b[first + y, column] if first + y < b.shape[0] and column < b.shape[1] else 0
        cuda.syncthreads()
        for k in range(16):
            total += a_tile[y, k] * b_tile[x, k]
        cuda.syncthreads()
    if row < out.shape[0] and column < out.shape[1]:
        out[row, column] = total


@cuda.jit(lineinfo=True)
def wrong_last_tile(out, a, b):
    column, row = cuda.grid(2)
    total = float32(0)
    if row < out.shape[0] and column < out.shape[1]:
        for k in range(0, (a.shape[1] + 15) // 16 * 16):
            total += a[row, k] * b[k, column]  #: out-of-bounds
        out[row, column] = total


if __name__ == "__main__":
    A, B = numbers(20, 37), numbers(37, 25)
    main(globals(), (2, 2), (16, 16), A @ B, A, B)
