# SPDX-License-Identifier: MIT
"""What scripts/workbook calls: Python 3.9 and its standard library, over CMake, ctest and the stages' own --json."""

import contextlib
import os
import sys
from importlib.machinery import SourceFileLoader


def write_whole(self: SourceFileLoader, path: str, data: bytes, **_: int) -> None:
    """Keeps a compiled module in whole, or not at all. Python's own function keeps a part of it where the disk is full, and
    then no command starts until somebody removes that."""
    unfinished = f"{path}.{os.getpid()}"
    with contextlib.suppress(OSError):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        try:
            with open(unfinished, "wb") as file:
                file.write(data)
            os.replace(unfinished, path)
        except OSError:
            os.unlink(unfinished)


SourceFileLoader.set_data = write_whole


def open_closed_streams() -> None:
    """Puts /dev/null in place of a closed stream (`list >&-`). Otherwise the next opened file would take its number, and
    get the output of programs."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere == number:
                os.set_inheritable(number, True)
            else:
                os.dup2(nowhere, number)
                os.close(nowhere)
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8", closefd=False))


open_closed_streams()
