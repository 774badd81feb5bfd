# SPDX-License-Identifier: MIT
"""Barrier of the grid: `out` is `a`, turned by one block. Each thread writes its element to `cells` first, and reads
there what a thread of the next block has written."""

import numpy as np
from numba import cuda

from puzzle import main, numbers


@cuda.jit(lineinfo=True)
def right(out, a, cells):
    i = cuda.grid(1)
    cells[i] = a[i]
    cuda.cg.this_grid().sync()
    out[i] = cells[(i + 32) % cells.size]


@cuda.jit(lineinfo=True)
def wrong_barrier_of_the_block(out, a, cells):
    i = cuda.grid(1)
    cells[i] = a[i]
    cuda.syncthreads()
    out[i] = cells[(i + 32) % cells.size]  #: race


@cuda.jit(lineinfo=True)
def wrong_barrier_too_early(out, a, cells):
    i = cuda.grid(1)
    cuda.cg.this_grid().sync()
    cells[i] = a[i]  #: race
    out[i] = cells[(i + 32) % cells.size]


if __name__ == "__main__":
    A = numbers(128)
    main(globals(), 4, 32, np.roll(A, -32), A, np.zeros(128, np.float32))
