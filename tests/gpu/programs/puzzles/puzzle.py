# SPDX-License-Identifier: MIT
"""Runs one kernel of a puzzle, as in `python matmul.py right`, and compares its result with NumPy's.

In a wrong kernel, a comment `#: kind` marks a line that a finding of this kind must name. Where no check can find the
mistake, the comment is `#: wrong result`."""

import sys
import warnings

import numpy as np
from numba import cuda

warnings.simplefilter("ignore")  # Numba warns of small grids, and these are small on purpose


def numbers(*shape):
    """Small whole numbers, which floats add without rounding."""
    count = int(np.prod(shape))
    return ((np.arange(count) * 37 + 11) % 23 - 7).astype(np.float32).reshape(shape)


def main(kernels, grid, block, expected, *inputs, start=None):
    """Ends the program: with 0 where the result is `expected`, and with 1 where it is another. `start`: what is in
    `out` before. Else nothing is, and a kernel must write all of it."""
    kernel = kernels[sys.argv[1]]
    out = cuda.device_array(expected.shape, expected.dtype) if start is None else cuda.to_device(start)
    kernel[grid, block](out, *(cuda.to_device(array) for array in inputs))
    result = out.copy_to_host()
    wrong = np.argwhere(result != expected)
    if len(wrong):
        place = tuple(map(int, wrong[0]))
        sys.exit(f"wrong result: element {place} is {result[place]}, and {expected[place]} is expected")
    print("right")
