# SPDX-License-Identifier: MIT
"""One line of progress on standard error. A terminal rewrites it in place; elsewhere, a new line comes from time to
time."""

from __future__ import annotations

import re
import shutil
import sys
import time
from typing import Callable, List, TextIO

from . import colour

PLACE = re.compile(r"\S+:\d+:\d+: ")
SECONDS_BETWEEN_LINES = 10.0  # where there is no terminal


class Progress:
    def __init__(self, stream: TextIO = sys.stderr):
        self.stream = stream
        self.terminal = colour.is_screen(stream)
        self.last = -SECONDS_BETWEEN_LINES
        self.shown = False

    def show(self, text: str) -> None:
        """Shows the present step. The next call replaces it."""
        if self.terminal:
            width = shutil.get_terminal_size().columns - 1
            self.stream.write("\r\033[K" + text[:width])
            self.shown = True
        elif time.monotonic() - self.last >= SECONDS_BETWEEN_LINES:
            self.last = time.monotonic()
            self.stream.write(text + "\n")
        self.stream.flush()

    def verdict(self, text: str) -> None:
        """Shows an early verdict, before the figures, in a job (forked_job.py). Elsewhere the table has it."""

    def clear(self) -> None:
        if self.shown:
            self.stream.write("\r\033[K")
            self.stream.flush()
            self.shown = False

    def say(self, text: str) -> None:
        """Shows a message that stays."""
        self.clear()
        print(colour.paint(text, colour.ALARMS, self.stream), file=self.stream, flush=True)


class Later(Progress):
    """Keeps messages for later output."""

    def __init__(self, progress: Progress):
        super().__init__(progress.stream)
        self.progress = progress
        self.said: List[str] = []

    def show(self, text: str) -> None:
        self.progress.show(text)

    def verdict(self, text: str) -> None:
        self.progress.verdict(text)

    def clear(self) -> None:
        self.progress.clear()

    def say(self, text: str) -> None:
        self.said.append(text)

    def tell(self) -> None:
        for text in self.said:
            self.progress.say(text)
        self.said.clear()


def speaker(name: str, progress: Progress) -> Callable[[str], None]:
    """Shows lines below the stage's name. A line that begins with a place in a file stays at the margin, where editors
    look."""
    said: List[str] = []

    def say(line: str) -> None:
        if not said:
            progress.say(f"{name}:")
        said.append(line)
        progress.say(line if PLACE.match(line) else f"  {line}".rstrip())

    return say
