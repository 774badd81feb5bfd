# SPDX-License-Identifier: MIT
"""Folders that hold something for a moment. Their names have the process that uses them, so that what a killed process has
left is known and removed."""

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
OLD_S = 3600.0  # a process of another container has a number that means nothing here; it has ended by then


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """In the system's temporary folder, gone afterwards."""
    sweep_once(Path(tempfile.gettempdir()))
    with tempfile.TemporaryDirectory(prefix=f"{PREFIX}-{os.getpid()}-") as name:
        yield Path(name)


@functools.lru_cache(maxsize=None)
def sweep_once(place: Path) -> None:
    sweep(place, PREFIX, OLD_S)


def sweep(place: Path, prefix: str, age_s: float = 0.0) -> None:
    """Removes folders PREFIX-PROCESS-... of processes that have ended, where they are as old as this."""
    for left in place.glob(f"{prefix}-*-*"):
        process = left.name[len(prefix) + 1 :].split("-")[0]
        with contextlib.suppress(OSError):  # another process may sweep, too
            if process.isdigit() and not Path("/proc", process).exists() and time.time() - left.stat().st_mtime >= age_s:
                shutil.rmtree(left, ignore_errors=True)
