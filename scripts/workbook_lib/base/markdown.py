# SPDX-License-Identifier: MIT
"""Pieces of Markdown: tables, lists of stages, and the blocks between the marks of scripts/tables."""

from __future__ import annotations

import re
from typing import List, Sequence

from .errors import WorkbookError


def table(rows: Sequence[Sequence[str]]) -> str:
    """A table. The first row is the head."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "|---" * len(rows[0]) + "|")
    return "\n".join(lines)


def stage_link(number: int) -> str:
    """A link for stages/FIGURES.md."""
    return f"[{number:02}](stage{number:02}/README.md)"


def stage_list(numbers: Sequence[int]) -> str:
    """Examples: "stage 08", "stages 01 to 07", "stages 01, 02 and 07"."""
    runs: List[List[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    words: List[str] = []
    for run in runs:
        words += [f"{run[0]:02} to {run[-1]:02}"] if len(run) > 2 else [f"{number:02}" for number in run]
    text = " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
    return f"stage{'s' if len(numbers) > 1 else ''} {text}"


def replace_block(text: str, begin: str, end: str, body: str, name: str) -> str:
    """Replaces the text between two marks of `text` by `body`. `name` is the file's, for a message."""
    pattern = re.compile(re.escape(begin) + r"\n.*?" + re.escape(end), re.DOTALL)
    if not pattern.search(text):
        raise WorkbookError(f"{name} lacks the marks {begin} ... {end}")
    return pattern.sub(lambda _: f"{begin}\n{body}\n{end}", text, count=1)
