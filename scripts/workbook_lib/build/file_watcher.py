# SPDX-License-Identifier: MIT
"""Which of some files has been saved. Editors do that in several ways: they write into the file, first empty it, or put
another one in its place, and then touch it again. What counts is what the file holds when it has come to rest.

Where watchdog can be imported, inotify tells when to look, and when a file has been closed by who has written it: then nobody waits for it
to rest. Else the files are looked at twenty times a second, which costs
half a percent of a core, and 0.03 s a save. So they are where inotify turns out to be silent, as of folders of other
machines and of Windows."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Set, Tuple

from . import inputs

LOOK_EVERY_S = 0.05
LOOK_ALL_THE_SAME_S = 1.0  # where inotify is there
AT_REST_S = 0.04  # as long a file must be the same before it is read
EMPTY_FOR_S = 0.5  # as long an empty file is taken for one that is about to be written
WHOLE = {"closed": "src_path", "moved": "dest_path"}  # events of watchdog's behind which a file is whole, and where it is

Look = Tuple[int, int, int]  # time, size, inode; of a file that is not there: zeros


def look(file: Path) -> Look:
    try:
        found = os.stat(file)
    except OSError:
        return 0, 0, 0
    return found.st_mtime_ns, found.st_size, found.st_ino


class News:
    """A pipe in which something lies when something has happened in the folders."""

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
        """Called by the observer, in a thread of its own."""
        place = WHOLE.get(event.event_type)
        if place is not None:
            self.whole.add(Path(os.fsdecode(getattr(event, place))))
        with contextlib.suppress(BlockingIOError):  # enough lies there
            os.write(self.end, b".")

    def take(self) -> Optional[Set[Path]]:
        """The files that who wrote them has closed since the last time, or put into their places. None: nothing has happened."""
        try:
            os.read(self.pipe, 65536)
        except BlockingIOError:
            return None
        whole, self.whole = self.whole, set()
        return whole


def news_of(folders: Iterable[Path]) -> Optional[News]:
    """None where watchdog is not there, or the system has no more to give."""
    try:
        from watchdog.observers import Observer

        return News(Observer(), folders)
    except (ImportError, OSError):
        return None


class Saves:
    def __init__(self, files: Sequence[Path], more: Callable[[], Iterable[Path]] = tuple):
        """`more`: files beside these, which may be others each time."""
        self.news = news_of({file.parent for file in files})
        self.told_at = time.monotonic()  # when there was news last
        self.files, self.more = list(files), more
        self.seen: Dict[Path, Look] = {file: look(file) for file in self.all()}
        self.texts = {file: inputs.digest_of_file(file) for file in self.seen}
        self.moving: Dict[Path, float] = {}  # files that have changed: since when they are as they are now

    @property
    def pause_s(self) -> float:
        """Until poll() is to be called again, at the latest."""
        return AT_REST_S / 2 if self.moving else LOOK_ALL_THE_SAME_S if self.news else LOOK_EVERY_S

    def all(self) -> List[Path]:
        return list(dict.fromkeys([*self.files, *self.more()]))

    def poll(self) -> Optional[Path]:
        """A file that holds another text than before, and is at rest."""
        now = time.monotonic()
        whole = None if self.news is None else self.news.take()
        if whole is not None:
            self.told_at = now
        for file in self.all():
            current = look(file)
            if file not in self.seen:  # a header that is followed from now on
                self.seen[file], self.texts[file] = current, inputs.digest_of_file(file)
            if current != self.seen[file]:
                self.seen[file], self.moving[file] = current, now
        for file, since in list(self.moving.items()):
            rest = EMPTY_FOR_S if self.seen[file][1] == 0 else 0.0 if file in (whole or ()) else AT_REST_S
            if now - since < rest:
                continue
            del self.moving[file]
            if since - self.told_at > LOOK_ALL_THE_SAME_S:
                self.news = None  # it is silent here
            text = inputs.digest_of_file(file)
            if text != self.texts[file]:
                self.texts[file] = text
                return file
        return None
