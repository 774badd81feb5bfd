# SPDX-License-Identifier: MIT
"""A user of its own for each run. Then a run can't touch another one, and one kill() reaches all that it has started."""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
from pathlib import Path
from typing import Iterator, Optional, Tuple

from ...base.errors import WorkbookError

# systemd's list of user numbers calls these unused; a container without a map of its own has them.
FIRST, LAST = 60578, 61183
LOCKS = "workbook-wall"
PLACES = ("/run/lock", "/var/lock", "/tmp")  # the first in which a folder can be made


def is_in_use(uid: int) -> bool:
    """Whether a process of this user runs."""
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                if entry.stat().st_uid == uid:
                    return True
    return False


def lock_folder() -> Path:
    """A folder of root's alone. The last place is everybody's, so somebody else may have made it."""
    for place in PLACES:
        folder = Path(place, LOCKS)
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, exist_ok=True)
            found = folder.lstat()
            if stat.S_ISDIR(found.st_mode) and found.st_uid == 0 and os.access(folder, os.W_OK):
                return folder
    raise WorkbookError(f"no folder {LOCKS} can be made in {', '.join(PLACES)}: make room or write rights in one of them")


def claim() -> Tuple[int, int]:
    """A user, and the descriptor that keeps it ours until it is closed."""
    locks = lock_folder()
    # Processes begin at different places, so that they seldom try each other's numbers.
    count = LAST - FIRST + 1
    begin = os.getpid() * 7 % count
    for step in range(count):
        uid = FIRST + (begin + step) % count
        descriptor = os.open(locks / str(uid), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not is_in_use(uid):
                return uid, descriptor
        os.close(descriptor)
    raise WorkbookError(f"all users from {FIRST} to {LAST} are in use")


@contextlib.contextmanager
def own_uid() -> Iterator[Optional[int]]:
    """A user that nobody else has as long as this lasts. None where the caller is not root, and so has no other user."""
    if os.geteuid() != 0:
        yield None
        return
    uid, descriptor = claim()
    try:
        yield uid
    finally:
        os.close(descriptor)
