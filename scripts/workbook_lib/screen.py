# SPDX-License-Identifier: MIT
"""Where scripts/workbook watch shows its pictures: a terminal, which is cleared and redrawn and gives keys, or plain
output, with a line before and behind each picture for editors that read it."""

from __future__ import annotations

import re
import shutil
import sys
import termios
import tty
from typing import List, Optional, Sequence

from . import colour

CLEAR = "\033[2J\033[H"
BEGIN, END = "watch: begin", "watch: end"  # .vscode/tasks.json reads them
VERDICT = "watch: verdict"  # of a right result, before its figures are there


def rows(line: str, columns: int) -> int:
    """Of a terminal, which a line takes."""
    return max(1, -(-len(re.sub("\033\\[[0-9;]*m", "", line)) // (columns or 80)))


def fitting(lines: Sequence[str], room: int, columns: int) -> List[str]:
    """The first lines, as many as there is room for, and how many there are more."""
    heights = [rows(line, columns) for line in lines]
    if sum(heights) <= room:
        return list(lines)
    count = next(count for count in range(len(lines)) if sum(heights[: count + 1]) >= room)
    left_out = len(lines) - count
    return [*lines[:count], f"... and {left_out} {'line' if left_out == 1 else 'lines'} more"]


class Terminal:
    """One picture at a time, with the keys and what is being done below it. Nothing is left changed."""

    is_coloured = staticmethod(colour.is_coloured)

    def __init__(self, keys: str):
        self.keys, self.before = keys, None

    def __enter__(self) -> "Terminal":
        if sys.stdin.isatty():
            self.before = termios.tcgetattr(0)
            tty.setcbreak(0)  # Ctrl-C remains what it is
        return self

    def __exit__(self, *error: object) -> None:
        if self.before is not None:
            termios.tcsetattr(0, termios.TCSADRAIN, self.before)
        sys.stdout.write("\n")

    def input(self) -> Optional[int]:
        """Where keys come from."""
        return 0 if self.before is not None else None

    def begin(self, title: str) -> None:
        self.title = title

    def show(self, lines: Sequence[str], fits: bool) -> None:
        """`fits`: only the first lines, as many as there is room for."""
        size = shutil.get_terminal_size()
        room = (size.lines or 24) - 4 - rows(self.title, size.columns)  # some say that they have none
        shown = fitting(lines, room, size.columns) if fits and room > 0 else lines
        sys.stdout.write("\n".join([CLEAR + self.title, "", *shown, "", self.keys, ""]))
        sys.stdout.flush()

    def verdict(self, text: str) -> None:
        """What is known of the picture that is still to come."""
        self.show([text, "Now one run at the lesson's size, for the figures."], fits=True)

    def status(self, text: str) -> None:
        sys.stdout.write("\r\033[K" + text[: (shutil.get_terminal_size().columns or 80) - 1])
        sys.stdout.flush()


class Plain:
    is_coloured = staticmethod(lambda stream: False)

    def __enter__(self) -> "Plain":
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def input(self) -> Optional[int]:
        return None

    def begin(self, title: str) -> None:
        print(f"{BEGIN}: {title}", flush=True)

    def show(self, lines: Sequence[str], fits: bool) -> None:
        print("\n".join([*lines, END]), flush=True)

    def verdict(self, text: str) -> None:
        print(f"{VERDICT}: {text}", flush=True)

    def status(self, text: str) -> None:
        pass
