# SPDX-License-Identifier: MIT
"""The output of scripts/workbook watch. A terminal is cleared and redrawn, and gives keys. Plain output has a line
before and after each picture, for editors that read it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
import termios
import tty
from typing import List, Optional, Sequence, Tuple

from . import colour

CLEAR = "\033[2J\033[H"
BEGIN, END = "watch: begin", "watch: end"  # .vscode/tasks.json reads them
VERDICT = "watch: verdict"  # for a right result, before its figures


ESCAPE = re.compile("\033\\[[0-9;]*m")
MATTERS = re.compile(r"\S+:\d+:\d+: |\s*advice |See it again: ")  # error and place, next step, key to look again


def rows(line: str, columns: int) -> int:
    """The rows of the terminal that a line takes."""
    return max(1, -(-len(ESCAPE.sub("", line)) // (columns or 80)))


def fitting(lines: Sequence[str], room: int, columns: int) -> List[str]:
    """As many lines as fit: the first ones, the most important ones, and the number of the others."""
    heights = [rows(line, columns) for line in lines]
    height = sum(heights)
    if height <= room:
        return list(lines)
    is_kept = [bool(MATTERS.match(ESCAPE.sub("", line))) for line in lines]
    shown = set(range(len(lines)))
    for index in sorted(shown, key=lambda index: (is_kept[index], -index)):  # the least important of them, from the end
        if height < room:
            break
        shown.remove(index)
        height -= heights[index]
    left_out = len(lines) - len(shown)
    return [*(lines[index] for index in sorted(shown)), f"... and {left_out} {'line' if left_out == 1 else 'lines'} more"]


class Terminal:
    """Shows one picture at a time, with the keys and the present step below it. Restores the terminal at the end."""

    is_coloured = staticmethod(colour.is_coloured)

    def __init__(self, keys: str):
        self.keys, self.before = keys, None
        self.title, self.step = "", ""
        self.shown: Tuple[str, Sequence[str], bool] = "", (), False  # the title, the lines, and whether they are cut to fit
        self.is_stale = False  # after Ctrl-Z and fg, and after a change of the window's size, until it is drawn again

    def __enter__(self) -> "Terminal":
        if sys.stdin.isatty():
            self.before = termios.tcgetattr(0)
            tty.setcbreak(0)  # Ctrl-C keeps its meaning
            signal.signal(signal.SIGTSTP, self.stop)
            signal.signal(signal.SIGCONT, self.go_on)
            signal.signal(signal.SIGWINCH, self.resize)
        return self

    def __exit__(self, *error: object) -> None:
        if self.before is not None:
            for number in (signal.SIGTSTP, signal.SIGCONT, signal.SIGWINCH):
                signal.signal(number, signal.SIG_DFL)
            termios.tcsetattr(0, termios.TCSADRAIN, self.before)
        sys.stdout.write("\n")

    def stop(self, number: int, frame: object) -> None:
        """Ctrl-Z: the shell gets the terminal as it was."""
        if self.is_in_front():
            termios.tcsetattr(0, termios.TCSANOW, self.before)
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self.stop)
        self.go_on(number, frame)  # without a shell that could go on, the system stops nothing

    def go_on(self, number: int, frame: object) -> None:
        """The shell's fg. After bg the terminal stays with the shell."""
        if self.is_in_front():
            tty.setcbreak(0, termios.TCSANOW)
            self.is_stale = True

    def resize(self, number: int, frame: object) -> None:
        """The window has another size."""
        self.is_stale = True

    @staticmethod
    def is_in_front() -> bool:
        return os.tcgetpgrp(0) == os.getpgrp()

    def input(self) -> Optional[int]:
        """The source of keys."""
        if self.is_stale and self.shown[0]:
            self.draw(*self.shown)
            self.status(self.step)
        return 0 if self.before is not None else None

    def begin(self, title: str) -> None:
        self.title = title

    def show(self, lines: Sequence[str], fits: bool) -> None:
        """Shows a picture. `fits`: only as many of the first lines as fit."""
        self.draw(self.title, lines, fits)

    def draw(self, title: str, lines: Sequence[str], fits: bool) -> None:
        self.shown, self.is_stale = (title, lines, fits), False
        size = shutil.get_terminal_size()
        room = (size.lines or 24) - 4 - rows(title, size.columns)  # some terminals report none
        shown = fitting(lines, room, size.columns) if fits and room > 0 else lines
        sys.stdout.write("\n".join([CLEAR + title, "", *shown, "", self.keys, ""]))
        sys.stdout.flush()

    def verdict(self, text: str) -> None:
        """Shows an early verdict for the next picture."""
        self.show([text, "Now one run at the lesson's size, for the figures."], fits=True)

    def status(self, text: str) -> None:
        self.step = text
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
