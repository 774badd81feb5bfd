# SPDX-License-Identifier: MIT
"""The command scripts/workbook hint: the next tier of the hint for the last run of a stage's file."""

from __future__ import annotations

import argparse
import textwrap
from pathlib import Path
from typing import List

from ..base.options import add_command
from ..base.progress import Progress
from ..course import stages
from ..course.stages import Stage
from ..judge import hints, progress_file, records, symptom
from ..judge.hints import Hint
from ..judge.records import Records
from . import question_command

WIDTH = 80
ORDER = 30
EXAMPLES = """\
  scripts/workbook hint 3   a question first; again: the idea; again: nearly the line
  scripts/workbook hint 3 --facts   for authors: what the hint is chosen by; takes none"""


def add_to(commands: "argparse._SubParsersAction") -> None:
    words = "a hint for what your file's last run showed, in three steps"
    hint = add_command(commands, "hint", EXAMPLES, hint_command, help=words)
    hint.description += " Each call tells a little more. How many you took is kept, and `list` shows it."
    hint.add_argument("stage", nargs="?", metavar="N", help="the stage (default: where you are)")
    hint.add_argument("--facts", action="store_true", help="show the facts of the last run that choose the hint, and its name")


def hint_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    listed, kept = stages.read_stages(root), records.read(root)
    here = [progress_file.current(kept, root, listed) or listed[-1]]
    for stage in stages.select(listed, [arguments.stage]) if arguments.stage else here:
        if arguments.facts:
            print("\n".join(facts(root, stage, kept)))
            continue
        if progress_file.is_solved(kept, root, stage):
            print(f"Stage {stage.number} is solved. The question of its lesson:\n")
            print(question_command.question_of(root, stage.name))
            continue
        with records.change(root, progress.say) as kept:
            hint = hints.drawn(hints.read(root, stage.name), progress_file.symptom(kept, stage) or symptom.NOT_SOLVED)
            taken, is_more = progress_file.take_hint(kept, stage, hint.name, len(hint.tiers)) if hint else (0, False)
        if hint is None:
            print(f"There is no hint for this. The lesson: stages/{stage.name}/README.md")
            continue
        print("\n".join(lines(root, stage, hint, taken, is_more)))
        if progress_file.is_edited_since(kept, root, stage):
            print(f"\n(For your file as it was at its last run: scripts/workbook run {stage.number} --todo)")
    return 0


def facts(root: Path, stage: Stage, kept: Records) -> List[str]:
    """The facts, as `when` of a hint reads them, and the hint that they choose."""
    found = progress_file.symptom(kept, stage) or symptom.NOT_SOLVED
    hint = hints.drawn(hints.read(root, stage.name), found)
    return [*(f"{name}: {text}" for name, text in found.items()), f"hint: {hint.name if hint else 'none'}"]


def lines(root: Path, stage: Stage, hint: Hint, taken: int, is_more: bool) -> List[str]:
    """The tiers so far, and the next step."""
    shown = []
    for number, (tier, text) in enumerate(list(hint.tiers.items())[:taken], start=1):
        head = f"Hint {number} of {len(hint.tiers)}, {hints.TIERS[tier]}:"
        shown += [head, *textwrap.wrap(text, WIDTH - 3, initial_indent="  ", subsequent_indent="  "), ""]
    if taken < len(hint.tiers):
        return [*shown, f"Next hint: scripts/workbook hint {stage.number}"]
    if is_more:
        return [*shown, "That was the last one for this."]
    if not (root / "answers").is_dir():
        return [*shown, f"There is no other: nearly the line is with your instructor. The lesson is stages/{stage.name}/README.md"]
    return [*shown, f"There is no other. The lesson is stages/{stage.name}/README.md; our answer: "
            f"scripts/workbook compare {stage.number} --anyway"]  # fmt: skip
