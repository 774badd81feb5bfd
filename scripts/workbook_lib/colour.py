# SPDX-License-Identifier: MIT
"""A few coloured words, where the terminal has colours and its user wants them."""

from __future__ import annotations

import os
import re
from typing import TextIO

VERDICTS = r"\b(yes|NO)\b"
ALARMS = r"\b(error|warning)\b(?=:| #)"
CODES = {"yes": 32, "NO": 31, "error": 31, "warning": 33}  # green, red and yellow


def is_screen(stream: TextIO) -> bool:
    """Whether it is a terminal that takes control sequences."""
    return stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def paint(text: str, words: str, stream: TextIO) -> str:
    if not is_screen(stream) or os.environ.get("NO_COLOR"):
        return text
    return re.sub(words, lambda found: f"\033[{CODES[found[0]]}m{found[0]}\033[0m", text)
