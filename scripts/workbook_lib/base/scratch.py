# SPDX-License-Identifier: MIT
"""Temporary folders. Their names hold the number of the process that uses them. So the folders of a killed process can
be found and removed."""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import Iterator

PREFIX = "workbook"
OLD_S = 3600.0  # a process of another container has a number without meaning here; it has ended by then


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """A folder in the system's temporary folder, removed afterwards."""
    sweep_once(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=f"{PREFIX}-{os.getpid()}-") as name:
        yield Path(name)


@functools.lru_cache(maxsize=None)
def sweep_once(place: Path) -> None:
    sweep(place, PREFIX, OLD_S)


def sweep(place: Path, prefix: str, age_s: float = 0.0) -> None:
    """Removes the folders PREFIX-PROCESS-... of ended processes, if they are older than this."""
    for left in place.glob(f"{prefix}-*-*"):
        process = left.name[len(prefix) + 1 :].split("-")[0]
        with contextlib.suppress(OSError):  # another process may sweep, too
            if process.isdigit() and not Path("/proc", process).exists() and time.time() - left.stat().st_mtime >= age_s:
                shutil.rmtree(left, ignore_errors=True)
