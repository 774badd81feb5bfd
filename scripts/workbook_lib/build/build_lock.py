# SPDX-License-Identifier: MIT
"""The lock for several commands in one build folder. Programs of the folder may run at the same time. A build waits
until none of them runs, and none starts during a build. So no command runs a program that another command replaces.

There are two locks (flock, which the system releases when a process ends). The lock `building` is for one builder at a
time. The lock `running` is shared by all that run programs, and exclusive for the builder. A builder keeps `running`
until its process ends."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
from pathlib import Path
from typing import Callable, Dict, Iterator, Optional

# A command that a holder of the lock starts (a test that types commands) uses that holder's lock.
HOLDER = "WORKBOOK_BUILD_LOCK"
INHERITED = os.environ.get(HOLDER, "")
NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL)  # some network file systems


class BuildLock:
    """The lock of one build folder. A process has one of each, by lock_of()."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.running: Optional[int] = None  # the locked file

    @contextlib.contextmanager
    def for_build(self, say: Callable[[str], None]) -> Iterator[None]:
        """Holds the lock alone during a build. Then shares it until the process ends or builds again."""
        if INHERITED == str(self.folder):
            yield
            return
        self.release()
        waiting = f"Another command uses build/{self.folder.name}: this one waits until that one has ended"
        building = self.take("building", fcntl.LOCK_EX, say, waiting)
        try:
            self.running = self.take("running", fcntl.LOCK_EX, say, waiting)
            try:
                yield
            finally:
                lock(self.running, fcntl.LOCK_SH)  # no other builder can come between, because `building` is still held
                os.environ[HOLDER] = str(self.folder)
        finally:
            os.close(building)

    def for_programs(self, say: Callable[[str], None]) -> None:
        """Shares the lock with all that run programs of this folder, until the process ends. Nothing is built."""
        if self.running is None and INHERITED != str(self.folder):
            self.running = self.take("running", fcntl.LOCK_SH, say, f"build/{self.folder.name} is being built: waiting")

    def take(self, name: str, kind: int, say: Callable[[str], None], waiting: str) -> int:
        self.folder.mkdir(parents=True, exist_ok=True)
        file = os.open(self.folder / f"{name}.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
        try:
            try:
                lock(file, kind | fcntl.LOCK_NB)
            except BlockingIOError:
                say(waiting)
                lock(file, kind)
        except BaseException:
            os.close(file)
            raise
        return file

    def release(self) -> None:
        if self.running is not None:
            os.close(self.running)
            self.running = None
            os.environ.pop(HOLDER, None)


def lock(file: int, kind: int) -> None:
    try:
        fcntl.flock(file, kind)
    except OSError as error:
        if error.errno not in NO_LOCKS:
            raise


_locks: Dict[Path, BuildLock] = {}


def lock_of(folder: Path) -> BuildLock:
    return _locks.setdefault(folder, BuildLock(folder))
