# SPDX-License-Identifier: MIT
"""Files that another process may read at the same time."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def write_atomically(path: Path, text: str) -> None:
    """A reader sees the old file or the whole new one. A link is followed; a device or a pipe is written into, and stays."""
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")
        return
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def copy_whole(source: Path, target: Path) -> None:
    """With the times of the source. Nothing is left of a copy that fails."""
    temporary = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    try:
        shutil.copy2(source, temporary)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
