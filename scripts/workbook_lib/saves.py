# SPDX-License-Identifier: MIT
"""Which of some files has been saved. Editors do that in several ways: they write into the file, first empty it, or put
another one in its place, and then touch it again. What counts is what the file holds when it has come to rest.

The files are looked at, and not waited for with inotify: to look at all of them twenty times a second costs half a percent of
a core; the 0.03 s by which a save is seen later are not felt beside a compiler; and folders of other machines and of
Windows, where inotify is silent, are no case of their own. What inotify would bring is a library to install, and this way
beside it all the same."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path
from typing import Dict, Optional, Sequence, Tuple

LOOK_EVERY_S = 0.05
AT_REST_S = 0.04  # as long a file must be the same before it is read
EMPTY_FOR_S = 0.5  # as long an empty file is taken for one that is about to be written

Look = Tuple[int, int, int]  # time, size, inode; of a file that is not there: zeros


def look(file: Path) -> Look:
    try:
        found = os.stat(file)
    except OSError:
        return 0, 0, 0
    return found.st_mtime_ns, found.st_size, found.st_ino


def digest(file: Path) -> str:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return ""


class Saves:
    def __init__(self, files: Sequence[Path]):
        self.seen: Dict[Path, Look] = {file: look(file) for file in files}
        self.texts = {file: digest(file) for file in files}
        self.moving: Dict[Path, float] = {}  # files that have changed: since when they are as they are now

    @property
    def pause_s(self) -> float:
        """Until poll() is to be called again, at the latest."""
        return AT_REST_S / 2 if self.moving else LOOK_EVERY_S

    def poll(self) -> Optional[Path]:
        """A file that holds another text than before, and is at rest."""
        now = time.monotonic()
        for file, before in self.seen.items():
            current = look(file)
            if current != before:
                self.seen[file], self.moving[file] = current, now
        for file, since in list(self.moving.items()):
            if now - since < (AT_REST_S if self.seen[file][1] else EMPTY_FOR_S):
                continue
            del self.moving[file]
            text = digest(file)
            if text != self.texts[file]:
                self.texts[file] = text
                return file
        return None
