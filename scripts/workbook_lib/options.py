# SPDX-License-Identifier: MIT
"""What options of scripts/workbook take, and how wrong usage is said: in one line."""

from __future__ import annotations

import argparse
import sys

from . import errors, sizes
from .sizes import Size

SEED_LIMIT = 2**32  # std::mt19937 takes a seed of 32 bits
SIZE_LIMIT = 2**63
MOST_THREADS = 1024  # of a block, on every GPU


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, without the usage text; takes no shortened options, which may be ctest's own."""

    def __init__(self, **settings: object):
        super().__init__(allow_abbrev=False, **settings)

    def error(self, message: str) -> None:
        print(f"workbook: {message} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(errors.USAGE)


def bounded(text: str, least: int, most: int, rule: str) -> int:
    value = int(text) if text.isascii() and text.isdigit() else -1
    if not least <= value <= most:
        raise argparse.ArgumentTypeError(f"'{text}': {rule}")
    return value


def size(text: str) -> Size:
    """Each problem has a rule of its own, which its program says; this one holds for all of them."""
    value = sizes.parse(text)
    if value is None or max(sizes.extents(value)) >= SIZE_LIMIT:
        raise argparse.ArgumentTypeError(f"'{text}': a size is a whole number, or two of them as in 64x48; 2^12 is 4096")
    return value


def seed(text: str) -> int:
    return bounded(text, 0, SEED_LIMIT - 1, f"a seed is a whole number from 0 to {SEED_LIMIT - 1}")


def block_size(text: str) -> Size:
    value = sizes.parse(text)
    if value is None or not 1 <= sizes.elements(value) <= MOST_THREADS:
        raise argparse.ArgumentTypeError(f"'{text}': a block has 1 to {MOST_THREADS} threads: 256, or 32x8")
    return value


def add_device(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--device",
        choices=("auto", "gpu", "simulator"),
        default="auto",
        help="auto: a GPU where one is usable, else the simulator",
    )
