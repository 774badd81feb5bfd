# SPDX-License-Identifier: MIT
"""The steps of a block in a terminal of 80 columns: a line a step, with the first words of the array."""

from __future__ import annotations

import textwrap
from typing import List, Optional

from . import text_table
from .access_steps import Step, Steps
from .text_table import Column

SHOWN = 32  # elements
MOST_STEPS = 64
LEGEND = (
    "A thread's elements have its letter: a capital those that it writes, a small one those that it only reads. Without "
    "letters, \u25cf is written and \u25cb only read: there more threads touch one element, or one touches more beyond these "
    "32. \u00b7 is not touched. Of a shuffle the elements are the lanes of the first warp."
)


def text(steps: Optional[Steps], block: int) -> str:
    if steps is None:
        return f"In what was recorded of block {block}, no thread combines elements that others have written."
    shown = steps.steps[:MOST_STEPS]
    where = f" in {steps.array}" if steps.array else ""
    columns = [
        Column(("step",), [str(number + 1) for number in range(len(shown))]),
        Column(("line",), [str(step.line) for step in shown]),
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
    cells: List[str] = ["\u00b7"] * SHOWN
    inside = [[word for word in update.touched if word < SHOWN] for update in step.updates]
    touched = [word for words in inside for word in words]
    is_shared = len(set(touched)) < len(touched)
    letters = 0
    for update, words in zip(step.updates, inside):
        has_letter = len(words) > 1 and not is_shared
        for word in words:
            is_written = word in update.writes
            if has_letter:
                cells[word] = chr(ord("A" if is_written else "a") + letters)
            elif cells[word] != "\u25cf":
                cells[word] = "\u25cf" if is_written else "\u25cb"
        letters += has_letter
    return "".join(cells)
