# SPDX-License-Identifier: MIT
"""Pictures of accesses in a terminal of 80 columns. A letter is a lane; a point is a byte of a used sector that no lane
uses."""

from __future__ import annotations

import itertools
import textwrap
from typing import List, Optional, Sequence, TextIO

from ..base import colour
from .access_picture import WORDS, Picture, Row
from .access_trace import SHARED

MOST_ROWS = 16  # rows of a picture; the others are counted
WHOSE = {"todo": "your file", "answer": "our answer"}
WIDTH = 39  # the width of one of two columns
SECTOR = 8  # words
LANES = "0-9 and a-v: the lane whose 4 bytes these are; +: of several lanes"
LEGENDS = {
    "global": f"A row is 128 bytes of memory, in 4 sectors. {LANES}; a point, or grey: 4 bytes of the same sectors that no "
    "lane touches.",
    "shared": "A row has 32 words, one of each bank. 0-9 and a-v: the lane whose word it is; +: of several lanes. In one "
    "pass each bank serves one word.",
}


def text(pictures: Sequence[Picture], others: Sequence[Optional[Picture]], stream: TextIO) -> str:
    """The text of pictures. `others`: the counterpart of each in our answer, shown beside it."""
    parts = []
    for picture, other in zip(pictures, others):
        columns = [column(picture, WHOSE["todo"]), column(other, WHOSE["answer"])] if other else halves(picture)
        parts.append("\n".join(side_by_side(columns, stream)))
    legends = [textwrap.fill(LEGENDS[memory], 80) for memory in dict.fromkeys(picture.memory for picture in pictures)]
    return "\n\n".join([*parts, *legends])


def halves(picture: Picture) -> List[List[str]]:
    """The array in shared memory, and what the access costs."""
    if picture.memory != SHARED:
        return [column(picture, "")]
    array = [*head(picture, ""), *drawn(picture.places, WORDS), *textwrap.wrap(f"in {picture.array}", WIDTH)]
    return [
        array,
        ["", "one pass after the other", *drawn(picture.rows, WORDS), *textwrap.wrap(picture.sentence, WIDTH)],
    ]


def column(picture: Picture, whose: str) -> List[str]:
    if picture.memory != SHARED:
        return [*head(picture, whose), *drawn(picture.rows, SECTOR), *textwrap.wrap(picture.sentence, WIDTH)]
    return [
        *head(picture, whose),
        *drawn(picture.places, WORDS, MOST_ROWS // 2),
        f"in {picture.array}"[:WIDTH],
        "one pass after the other",
        *drawn(picture.rows, WORDS, MOST_ROWS // 2),
        *textwrap.wrap(picture.sentence, WIDTH),
    ]


def head(picture: Picture, whose: str) -> List[str]:
    where = f"{whose}, line {picture.line}" if whose else f"line {picture.line}"
    launch = f"launch {picture.launch}, " if picture.launch > 1 else ""
    time = f", {picture.time} of {picture.times} times" if picture.times > 1 else ""
    return [
        f"{where}: {picture.action}, {picture.memory}"[:WIDTH],
        *textwrap.wrap(f"{launch}block {picture.block}, warp {picture.warp}{time}", WIDTH),
    ]


def drawn(rows: Sequence[Row], bars: int, most: int = MOST_ROWS) -> List[str]:
    """The text of a row, with a bar after so many words."""
    lines = []
    for row in rows[:most]:
        pieces = [row.cells[first : first + bars] for first in range(0, WORDS, bars)]
        lines.append(f"|{'|'.join(pieces)}|")
    return [*lines, *([f"... and {len(rows) - most} rows more"] if len(rows) > most else [])]


def side_by_side(columns: Sequence[Sequence[str]], stream: TextIO) -> List[str]:
    lines = []
    for cells in itertools.zip_longest(*columns, fillvalue=""):
        painted = [colour.paint_cells(cell, stream) if "|" in cell else cell for cell in cells]
        gaps = [" " * (WIDTH + 2 - len(cell)) for cell in cells]
        lines.append("".join(map("".join, zip(painted, gaps))).rstrip())
    return lines
