# SPDX-License-Identifier: MIT
"""Tables for a terminal: columns that line up under heads of one or more lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Sequence


@dataclass
class Column:
    head: Sequence[str]  # its lines; the last one is nearest to the cells
    cells: Sequence[str]
    words: bool = False  # words are left-aligned, figures right-aligned


def number(value: Optional[float], form: str) -> str:
    return "-" if value is None else format(value, form)


def lay_out(columns: Sequence[Column], gaps: Sequence[int] = ()) -> str:
    """The lines of a table. `gaps`: the rows after an empty line."""
    height = max(len(column.head) for column in columns)
    padded = []
    for column in columns:
        texts = [*[""] * (height - len(column.head)), *column.head, *column.cells]
        width = max(map(len, texts))
        padded.append([text.ljust(width) if column.words else text.rjust(width) for text in texts])
    lines: List[str] = ["  ".join(row).rstrip() for row in zip(*padded)]
    for row in sorted(gaps, reverse=True):
        lines.insert(height + row, "")
    lines.insert(height, "-" * (sum(len(column[0]) for column in padded) + 2 * (len(columns) - 1)))
    return "\n".join(lines)
