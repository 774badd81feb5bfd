# SPDX-License-Identifier: MIT
"""Finds the file that was saved, among some files. Editors save in several ways. They write into the file, empty it
first, or replace it by another one, and then change it again. What counts is the content after the last change.

With watchdog, inotify gives the time to look, and the moment when a writer closes a file. Then there is no need to
wait. Without it, the watcher looks at the files twenty times a second. That costs half a percent of a core, and 0.03 s
a save. It does so too where inotify is silent, as for folders of other machines and of Windows."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Set, Tuple

from . import inputs

LOOK_EVERY_S = 0.05
LOOK_ALL_THE_SAME_S = 1.0  # with inotify
AT_REST_S = 0.04  # a file must be the same for this time before it is read
EMPTY_FOR_S = 0.5  # an empty file may be rewritten within this time
WHOLE = {"closed": "src_path", "moved": "dest_path"}  # events after which a file is complete, and the place of its path

Look = Tuple[int, int, int]  # time, size, inode; zeros for a file that does not exist


def look(file: Path) -> Look:
    try:
        found = os.stat(file)
    except OSError:
        return 0, 0, 0
    return found.st_mtime_ns, found.st_size, found.st_ino


class News:
    """A pipe that holds a byte after an event in the folders."""

    def __init__(self, observer: Any, folders: Iterable[Path]):
        self.pipe, self.end = os.pipe()
        os.set_blocking(self.pipe, False)
        os.set_blocking(self.end, False)
        self.whole: Set[Path] = set()
        observer.daemon = True
        for folder in folders:
            observer.schedule(self, str(folder))
        observer.start()

    def fileno(self) -> int:
        return self.pipe

    def dispatch(self, event: Any) -> None:
        """Called by the observer, in its own thread."""
        place = WHOLE.get(event.event_type)
        if place is not None:
            self.whole.add(Path(os.fsdecode(getattr(event, place))))
        with contextlib.suppress(BlockingIOError):  # the pipe is full
            os.write(self.end, b".")

    def take(self) -> Optional[Set[Path]]:
        """The files that were closed or replaced since the last call. None: no event."""
        try:
            os.read(self.pipe, 65536)
        except BlockingIOError:
            return None
        whole, self.whole = self.whole, set()
        return whole


def news_of(folders: Iterable[Path]) -> Optional[News]:
    """News of the folders. None without watchdog, or where the system's limit is reached."""
    try:
        from watchdog.observers import Observer

        return News(Observer(), folders)
    except (ImportError, OSError):
        return None


class Saves:
    def __init__(self, files: Sequence[Path], more: Callable[[], Iterable[Path]] = tuple):
        """`more`: returns further files, which may change each time."""
        self.news = news_of({file.parent for file in files})
        self.told_at = time.monotonic()  # the time of the last news
        self.files, self.more = list(files), more
        self.seen: Dict[Path, Look] = {file: look(file) for file in self.all()}
        self.texts = {file: inputs.digest_of_file(file) for file in self.seen}
        self.moving: Dict[Path, float] = {}  # changed files, with the time since which they are as they are now

    @property
    def pause_s(self) -> float:
        """The time until the next poll() is due."""
        return AT_REST_S / 2 if self.moving else LOOK_ALL_THE_SAME_S if self.news else LOOK_EVERY_S

    def all(self) -> List[Path]:
        return list(dict.fromkeys([*self.files, *self.more()]))

    def poll(self) -> Optional[Path]:
        """A file with a new text, after it has come to rest."""
        now = time.monotonic()
        whole = None if self.news is None else self.news.take()
        if whole is not None:
            self.told_at = now
        for file in self.all():
            current = look(file)
            if file not in self.seen:  # a new header to watch
                self.seen[file], self.texts[file] = current, inputs.digest_of_file(file)
            if current != self.seen[file]:
                self.seen[file], self.moving[file] = current, now
        for file, since in list(self.moving.items()):
            rest = EMPTY_FOR_S if self.seen[file][1] == 0 else 0.0 if file in (whole or ()) else AT_REST_S
            if now - since < rest:
                continue
            del self.moving[file]
            if since - self.told_at > LOOK_ALL_THE_SAME_S:
                self.news = None  # inotify is silent here
            text = inputs.digest_of_file(file)
            if text != self.texts[file]:
                self.texts[file] = text
                return file
        return None
