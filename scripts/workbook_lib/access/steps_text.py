# SPDX-License-Identifier: MIT
"""The steps of a block in a terminal of 80 columns: one line for each step, with the first words."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Dict, List, Optional, Set, Tuple

from ..base import text_table
from ..base.text_table import Column
from .access_steps import Step, Steps
from .access_trace import place_text

SHOWN = 32  # elements
MOST_STEPS = 64
LEGEND = (
    "What one thread touches, or two that exchange, has one letter: a capital what is written, a small one what is only "
    "read. Without letters, ● is written and ○ only read: there more threads touch one element, or one touches more "
    "beyond these 32. · is not touched. For a shuffle the elements are the lanes of the first warp."
)


def text(steps: Optional[Steps], block: int, source: Path) -> str:
    if steps is None:
        return f"In what was recorded of block {block}, no thread combines elements that others have written."
    shown = steps.steps[:MOST_STEPS]
    where = f" in {steps.array}" if steps.array else ""
    columns = [
        Column(("step",), [str(number + 1) for number in range(len(shown))]),
        Column(("line",), [place_text(step.chain, source) for step in shown]),
        Column(("threads",), [str(len(step.updates)) for step in shown]),
        Column(("warps",), [str(step.warps) for step in shown]),
        Column((f"elements 0 to {SHOWN - 1}",), [strip(step) for step in shown], words=True),
    ]
    top, rule, *rows = text_table.lay_out(columns).splitlines()
    lines = [top, rule]
    for line, step in zip(rows, shown):
        words = ("shuffle: " if step.is_shuffle else "") + step.words
        lines += [line, *([f"      {words}"] if step.words else [])]
    more = [f"... and {len(steps.steps) - MOST_STEPS} steps more"] if len(steps.steps) > MOST_STEPS else []
    head = textwrap.fill(f"What the threads of block {block} combine{where}, step after step:", 80)
    return "\n".join([head, "", *lines, *more, "", textwrap.fill(LEGEND, 80)])


def strip(step: Step) -> str:
    cells: List[str] = ["·"] * SHOWN
    writes_of: Dict[Tuple[int, ...], Set[int]] = {}  # by the accessed words
    for update in step.updates:
        inside = tuple(word for word in update.touched if word < SHOWN)
        writes_of.setdefault(inside, set()).update(update.writes)
    touched = [word for words in writes_of for word in words]
    is_shared = len(set(touched)) < len(touched)
    letters = 0
    for words, written in writes_of.items():
        has_letter = len(words) > 1 and not is_shared
        for word in words:
            if has_letter:
                cells[word] = chr(ord("A" if word in written else "a") + letters)
            elif cells[word] != "●":
                cells[word] = "●" if word in written else "○"
        letters += has_letter
    return "".join(cells)
