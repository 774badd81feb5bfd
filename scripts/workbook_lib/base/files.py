# SPDX-License-Identifier: MIT
"""Files that another process may read at the same time, and files that somebody else may have put there."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from pathlib import Path
from typing import TextIO

NO_REGULAR_FILE = "is no regular file"


def write_atomically(path: Path, text: str) -> None:
    """A reader sees the old file or the whole new one. A link is followed; a device or a pipe is written into, and stays."""
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")
        return
    write_own(path, text)


def write_own(path: Path, text: str) -> None:
    """As above, for a file of the course itself: a link, a device or a pipe at this place is replaced."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with create(temporary) as file:
            file.write(text)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def create(path: Path) -> TextIO:
    """A new file for writing, in place of what was there. So nothing is written through a link."""
    path.unlink(missing_ok=True)
    return path.open("x", encoding="utf-8")


def read_regular(path: Path, most_bytes: int, follows_links: bool = True) -> bytes:
    """The content of a regular file. Raises OSError with words for anything else: a pipe would wait, and a device may
    never end."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follows_links else os.O_NOFOLLOW))
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError(errno.ELOOP, "is a link", str(path)) from error
        if error.errno == errno.ENXIO:  # a socket
            raise OSError(errno.EINVAL, NO_REGULAR_FILE, str(path)) from error
        raise
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, NO_REGULAR_FILE, str(path))
    with open(descriptor, "rb") as file:
        if found.st_size > most_bytes:
            raise OSError(errno.EFBIG, f"has {found.st_size >> 20} MB, which is too much", str(path))
        return file.read(most_bytes)


def copy_whole(source: Path, target: Path) -> None:
    """With the times of the source. Nothing is left of a copy that fails."""
    temporary = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    try:
        shutil.copy2(source, temporary)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def advice(error: OSError) -> str:
    """What to do where a file cannot be used, as the end of a sentence."""
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return ". Copy the course into a folder of your own, where you may write, and work there"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return ". Make room there, and type the command again"
    return ""
