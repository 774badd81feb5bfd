# SPDX-License-Identifier: MIT
"""The stages of the course, from stages/CMakeLists.txt (one line a stage), and the choice of stages on a command line."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Sequence

from ..base.errors import WorkbookError
from . import todo_file

NEEDS = re.compile(r"^// needs: compute_(\d+)$", re.MULTILINE)
STAGE_LINE = re.compile(r'^\s*workbook_stage\(\s*(stage(\d+))\b[^)"]*\bTITLE\s+"([^"]*)"', re.MULTILINE)


@dataclass(frozen=True)
class Stage:
    name: str  # stage01, or stage01-<variant> for a variant
    number: int
    title: str

    def target(self, kind: str) -> str:
        """The CMake target of one kind: answer, todo or variant."""
        return self.program(kind).replace("-", "_")

    def program(self, kind: str) -> str:
        """The program of this target."""
        return f"{kind}-{self.name}"

    def source(self, kind: str) -> Path:
        """Its source file, below the root."""
        file = "stages/{}/todo.cu" if kind == "todo" else "answers/{}/solution.cu"
        return Path(file.format(self.name))


def read_stages(root: Path) -> List[Stage]:
    file = root / "stages" / "CMakeLists.txt"
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise WorkbookError(f"cannot read the list of stages: {error}") from error
    found = [Stage(name, int(number), title) for name, number, title in STAGE_LINE.findall(text)]
    if not found:
        raise WorkbookError(f"{file} lists no stage")
    return found


def needs(source: Path) -> int:
    """The compute capability in the head of a stage's file: 80 for `// needs: compute_80`, and 0 without such a line."""
    try:
        found = NEEDS.search(source.read_text(encoding="utf-8", errors="replace"))
    except OSError:
        return 0
    return int(found[1]) if found else 0


def unreadable(root: Path, stage: Stage, kind: str) -> str:
    """Why no compiler can read the file of this kind, or one beside it. Empty where it can."""
    file = root / stage.source(kind)
    if todo_file.problem(file):
        return f"{stage.source(kind)} {todo_file.problem(file)}"
    for beside in sorted(file.parent.iterdir()):
        if beside.name[0] not in ".#" and not beside.is_file() and not beside.is_dir():
            return f"{beside.relative_to(root)} is no regular file: remove it"
    return ""


def absent(root: Path, stages: Sequence[Stage], kind: str) -> Dict[Stage, str]:
    """The stages without a file of this kind that can be read, with a message. Raises where no stage has one."""
    found = {}
    for stage in stages:
        if os.path.lexists(root / stage.source(kind)):
            problem = unreadable(root, stage, kind)
            found.update({stage: problem} if problem else {})
            continue
        can_be_made = kind == "todo" and (root / stage.source("answer")).is_file()
        advice = f": scripts/make_todo {stage.number} makes it" if can_be_made else ""
        found[stage] = f"{stage.source(kind)} is missing{advice}"
    if kind == "answer" and not (root / "answers").is_dir():
        raise WorkbookError("this copy of the course has no answers/: --todo takes your own files")
    if len(found) == len(stages):
        raise WorkbookError("; ".join(found.values()))
    return found


def select(stages: Sequence[Stage], words: Sequence[str]) -> List[Stage]:
    """The stages of words like "3", "3-5" or "stage03", in course order. Without words, all of them."""
    if not words:
        return list(stages)
    known = {stage.number for stage in stages}
    wanted = set()
    for word in words:
        match = re.fullmatch(r"(?:stage)?(\d+)(?:-(?:stage)?(\d+))?", word)
        if not match:
            raise WorkbookError(f"'{word}' is no stage: give a number (3) or a range (3-5)")
        first, last = int(match[1]), int(match[2] or match[1])
        if first > last:
            raise WorkbookError(f"the range '{word}' runs backwards")
        for number in (first, last):
            if number not in known:
                raise WorkbookError(f"there is no stage {number}: the stages are {min(known)} to {max(known)}")
        wanted.update(range(first, last + 1))
    return [stage for stage in stages if stage.number in wanted]
