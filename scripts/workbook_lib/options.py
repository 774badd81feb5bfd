# SPDX-License-Identifier: MIT
"""What options of scripts/workbook take, and how wrong usage is said: in one line."""

from __future__ import annotations

import argparse
import sys

from . import errors

SEED_LIMIT = 2**32  # std::mt19937 takes a seed of 32 bits
LARGEST_BLOCK_SIZE = 1024


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


def size(text: str) -> int:
    return bounded(text, 0, 2**63 - 1, "a size is a whole number from 0 up")


def seed(text: str) -> int:
    return bounded(text, 0, SEED_LIMIT - 1, f"a seed is a whole number from 0 to {SEED_LIMIT - 1}")


def block_size(text: str) -> int:
    """Each stage has a rule of its own, which its program says; this one holds for all of them."""
    rule = f"a block size is a power of two from 1 to {LARGEST_BLOCK_SIZE}"
    value = bounded(text, 1, LARGEST_BLOCK_SIZE, rule)
    if value & (value - 1):
        raise argparse.ArgumentTypeError(f"'{text}': {rule}")
    return value


def add_device(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--device",
        choices=("auto", "gpu", "simulator"),
        default="auto",
        help="auto: a GPU where one is usable, else the simulator",
    )
