# SPDX-License-Identifier: MIT
"""What runs behind the wall, and with which limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Mapping, Optional, Tuple

MB = 1 << 20


@dataclass(frozen=True)
class Limits:
    cpu_s: float = 10.0  # of all processes together
    wall_s: float = 30.0
    memory_bytes: int = 1024 * MB  # of all processes together, the scratch folder included where it is in memory
    processes: int = 64  # threads count
    files: int = 256  # open in one process
    file_bytes: int = 64 * MB  # of one file
    scratch_bytes: int = 64 * MB  # of the scratch folder
    output_bytes: int = 4 * MB  # of both streams together


@dataclass(frozen=True)
class Task:
    """One run. It starts in `folder`, or in its scratch folder. That folder is empty, is gone afterwards, and is the only
    place for files; $TMPDIR names it."""

    command: Tuple[str, ...]  # begins with an absolute path
    read: Tuple[Path, ...] = ()  # in sight beside the system's programs and libraries
    limits: Limits = Limits()
    # Stay open, with their numbers: shared memory, or a connected stream socket to a server.
    descriptors: Tuple[int, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)  # beside PATH, HOME, TMPDIR and LANG
    folder: Optional[Path] = None
    # Only for a compiler: where the scratch folder's size is watched, a file that is removed and open is not seen.
    removes_files: bool = False
