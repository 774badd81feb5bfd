# SPDX-License-Identifier: MIT
"""Colours for a few words, if the terminal has colours and the user wants them."""

from __future__ import annotations

import os
import re
from typing import TextIO

SOLVED = r"\bsolved\b(?=[:;]|$)"
VERDICTS = r"\b(yes|NO)\b"
ALARMS = r"\b(error|warning)\b(?=:| #)"
CHANGES = r"^[-+](?!--|\+\+).*"  # of a diff
CODES = {"yes": 32, "solved": 32, "+": 32, "NO": 31, "error": 31, "-": 31, "warning": 33}  # green, red and yellow
is_wanted = False  # set by code that shows this output elsewhere


def is_screen(stream: TextIO) -> bool:
    """Whether the stream is a terminal that takes control sequences."""
    return stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def is_coloured(stream: TextIO) -> bool:
    return (is_wanted or is_screen(stream)) and not os.environ.get("NO_COLOR")


def paint(text: str, words: str, stream: TextIO) -> str:
    if not is_coloured(stream):
        return text
    return re.sub(words, lambda found: f"\033[{CODES.get(found[0]) or CODES[found[0][0]]}m{found[0]}\033[0m", text)


def paint_cells(text: str, stream: TextIO) -> str:
    """Paints a row between its bars: used bytes, and wasted bytes."""
    if not is_coloured(stream):
        return text
    start, end = text.index("|"), text.rindex("|")
    cells = re.sub(r"[0-9a-v+]+", lambda found: f"\033[32m{found[0]}\033[0m", text[start:end])
    return text[:start] + re.sub(r"\.+", lambda found: f"\033[90m{'░' * len(found[0])}\033[0m", cells) + text[end:]
