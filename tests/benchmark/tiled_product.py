# SPDX-License-Identifier: MIT
"""The time of one launch of a Numba kernel: a product of two matrices with tiles of 16 x 16 in shared memory. It runs on
the simulator, and with NUMBA_ENABLE_CUDASIM=1 on Numba's own emulator:

  scripts/simulate -- PYTHON tests/benchmark/tiled_product.py [SIZE]
  NUMBA_ENABLE_CUDASIM=1 PYTHON tests/benchmark/tiled_product.py [SIZE]"""

import sys
import time
import warnings

import numpy as np
from numba import config, cuda, float32

SIZE = int(sys.argv[1]) if len(sys.argv) > 1 else 256
TILE = 16


@cuda.jit
def product(a, b, c):
    part_of_a = cuda.shared.array((TILE, TILE), float32)
    part_of_b = cuda.shared.array((TILE, TILE), float32)
    column, row = cuda.grid(2)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for first in range(0, a.shape[1], TILE):
        part_of_a[y, x] = a[row, first + x]
        part_of_b[y, x] = b[first + y, column]
        cuda.syncthreads()
        for k in range(TILE):
            total += part_of_a[y, k] * part_of_b[k, x]
        cuda.syncthreads()
    c[row, column] = total


def main():
    warnings.simplefilter("ignore")  # of small grids
    random = np.random.default_rng(1)
    a, b = (random.integers(-3, 4, (SIZE, SIZE)).astype(np.float32) for _ in range(2))
    arrays = cuda.to_device(a), cuda.to_device(b), cuda.to_device(np.zeros_like(a))
    if not config.ENABLE_CUDASIM:
        product[1, (TILE, TILE)](*arrays)  # compiles it
        cuda.synchronize()
    begin, begin_cpu = time.perf_counter(), time.process_time()
    product[(SIZE // TILE, SIZE // TILE), (TILE, TILE)](*arrays)
    cuda.synchronize()
    seconds, cpu_seconds = time.perf_counter() - begin, time.process_time() - begin_cpu
    assert (arrays[2].copy_to_host() == a @ b).all()
    print(f"{SIZE} x {SIZE}: {seconds:.2f} s, {cpu_seconds:.2f} s of processor time")


main()
