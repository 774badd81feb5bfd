# SPDX-License-Identifier: MIT
"""What scripts/workbook calls: Python 3.9 and its standard library, over CMake, ctest and the stages' own --json."""

import contextlib
import os
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
