# SPDX-License-Identifier: MIT
"""The options of commands, and the one-line message for wrong usage."""

from __future__ import annotations

import argparse
import difflib
import re
import sys
import textwrap
from typing import Callable, Iterable, List

from . import errors, sizes
from .sizes import Size

SEED_LIMIT = 2**32  # std::mt19937 takes a seed of 32 bits
SIZE_LIMIT = 2**63
MOST_THREADS = 1024  # threads of a block, on every GPU
# The arguments for other programs (a command's default `passes_on`): all unknown ones, or those after `--`.
ANYWHERE, BEHIND_DASHES = "anywhere", "behind --"


class Parser(argparse.ArgumentParser):
    """A parser with one-line errors, without the usage text. It takes no shortened options, because ctest may have
    them."""

    def __init__(self, **settings: object):
        super().__init__(allow_abbrev=False, **settings)

    def error(self, message: str) -> None:
        command = self.prog.split()[0].rpartition("/")[2]
        print(f"{command}: {message} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(errors.USAGE)

    def unknown(self, words: List[str]) -> None:
        """The error for arguments that parse_known_args has left."""
        # The name of an option alone, without the value in --size=3.
        known = re.findall(r"--[\w-]+", self.format_help())
        self.error(f"unknown argument: {' '.join(words)}{nearest(words[0].partition('=')[0], known)}")

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            words = ", ".join(action.choices)
            raise argparse.ArgumentError(action, f"'{value}' is none of {words}{nearest(value, action.choices)}")


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Wraps a description, and keeps the lines of examples. In a long example line it wraps only the explanation."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if not re.search(r"(?m)^ ", text):
            return textwrap.fill(" ".join(text.split()), width)
        lines: List[str] = []
        for line in text.splitlines():
            column = re.match(r"\s*(?:\S.*?\s{2,})?", line).end()
            lines += textwrap.wrap(line, width, subsequent_indent=" " * column, break_on_hyphens=False) or [""]
        return "\n".join(lines)


def add_command(
    commands: "argparse._SubParsersAction", name: str, examples: str, call: Callable, **settings: object
) -> Parser:
    """Adds a command with examples below its help, and the list's sentence above it. `call`: the function of the
    command."""
    words = str(settings["help"])
    described = {"description": f"{words[:1].upper()}{words[1:]}.", **settings}
    made = commands.add_parser(name, epilog=examples, formatter_class=HelpFormatter, **described)
    made.set_defaults(call=call)
    return made


def nearest(word: str, known: Iterable[str]) -> str:
    """The suggestion after an unknown word."""
    found = difflib.get_close_matches(word, list(known), 1)
    return f"; did you mean {found[0]}?" if found else ""


def bounded(text: str, least: int, most: int, rule: str) -> int:
    value = int(text) if text.isascii() and text.isdigit() else -1
    if not least <= value <= most:
        raise argparse.ArgumentTypeError(f"'{text}': {rule}")
    return value


def size(text: str) -> Size:
    """A size. Each problem has a rule of its own, which its program checks. This rule holds for all problems."""
    value = sizes.parse(text)
    if value is None or max(sizes.extents(value)) >= SIZE_LIMIT:
        raise argparse.ArgumentTypeError(f"'{text}': a size is a whole number below 2^63, or two of them as in 64x48; 2^12 is 4096")
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
