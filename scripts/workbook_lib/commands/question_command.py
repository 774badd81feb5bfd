# SPDX-License-Identifier: MIT
"""The command scripts/workbook question: the question of a stage's lesson, and our answer on request."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from ..base.errors import WorkbookError
from ..base.options import add_command
from ..base.progress import Progress
from ..course import stages

SECTION = re.compile(r"^## One question\n\n(.*?)\n*(?=^## |\Z)", re.MULTILINE | re.DOTALL)

ORDER = 50
EXAMPLES = """\
  scripts/workbook question 3            the question
  scripts/workbook question 3 --answer   and our answer to it"""


def add_to(commands: "argparse._SubParsersAction") -> None:
    words = "show the question of a stage's lesson, or its answer"
    question = add_command(commands, "question", EXAMPLES, question_command, help=words)
    question.add_argument("stage", metavar="N", help="the stage, for example 3")
    question.add_argument("--answer", action="store_true", help="our answer too")


def question_of(root: Path, stage: str) -> str:
    lesson = root / "stages" / stage / "README.md"
    found = SECTION.search(lesson.read_text(encoding="utf-8"))
    if found is None:
        raise WorkbookError(f"{lesson.relative_to(root)} has no question")
    return found[1]


def answer_of(root: Path, stage: str) -> str:
    if not (root / "answers").is_dir():
        raise WorkbookError("this copy of the course has no answers/: the answer to the question is with your instructor")
    return (root / "answers" / stage / "question.md").read_text(encoding="utf-8").rstrip("\n")


def question_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    for stage in stages.select(stages.read_stages(root), [arguments.stage]):
        question = question_of(root, stage.name)
        if arguments.answer:
            question = question.replace(f"`scripts/workbook question {stage.number} --answer` shows our answer.", "").rstrip()
        print(f"Stage {stage.number:02}: {stage.title}\n\n{question}")
        if arguments.answer:
            print(f"\nOur answer\n\n{answer_of(root, stage.name)}")
    return 0
