#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What must hold of a course that is handed out without answers/. It configures, has no test of an answer, and has
what a grader needs. Its commands work, or say what is missing. No file of it gives an answer away: it has no last tier of a hint, and at most two long lines
that only one stage's answer has. Files that are given to students may: common/, todo.cu, and the headers beside it, as a later stage
gives what an earlier one asks for.

Usage: without_answers.py CMAKE CTEST"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Dict, Iterator, List, Tuple

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests/course/learner"), str(Path(__file__).resolve().parent)]
from hints_data import solution_lines  # noqa: E402  (its folder has just been put on the path)
from learn import copy_course  # noqa: E402
from workbook_lib.course import stages, todo_file  # noqa: E402
from workbook_lib.judge import hints  # noqa: E402

SKIPPED = 77
LONG = 30  # characters without blanks: what is shorter, two people write alike
FEW = 2

# Words of a command, its exit status, and what it must say.
COMMANDS: List[Tuple[str, int, str]] = [
    ("list", 0, "Next: scripts/workbook watch 0"),
    ("hint 3", 0, "Hint 1 of 2, a question"),
    ("question 3", 0, "?"),
    ("question 3 --answer", 2, "no answers/"),
    ("run 3", 2, "no answers/"),
]


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def secrets() -> Tuple[Dict[str, str], Dict[str, str]]:
    """Lines of answers that only one stage has, and last tiers of hints: each with its stage."""
    listed = stages.read_stages(ROOT)
    lines = {stage.name: set(solution_lines(todo_file.read(ROOT / stage.source("answer")))) for stage in listed}
    times = Counter(line for of_stage in lines.values() for line in of_stage)
    rare = {line: stage for stage, found in lines.items() for line in found if times[line] == 1 and len(line) >= LONG}
    tiers = {squeezed(hint.tiers["line"]): stage.name for stage in listed for hint in hints.read(ROOT, stage.name) if "line" in hint.tiers}
    return rare, tiers


def leaks(course: Path) -> Iterator[str]:
    rare, tiers = secrets()
    if not rare or not tiers:
        yield f"{len(rare)} lines of answers and {len(tiers)} hints are looked for: this test looks for nothing"
    for path in sorted(path for path in course.rglob("*") if path.is_file()):
        name = path.relative_to(course)
        if name.parts[0] in ("common", "build") or path.name == "todo.cu" or (name.parts[0] == "stages" and path.suffix == ".cuh"):
            continue
        text = squeezed(path.read_text(encoding="utf-8", errors="replace"))
        for stage, found in Counter(stage for line, stage in rare.items() if line in text).items():
            if found > FEW:
                yield f"{name} has {found} lines of the answer of {stage}"
        yield from (f"{name} has the last tier of a hint of {stage}" for tier, stage in tiers.items() if tier in text)


def said(*command: object, course: Path) -> Tuple[int, str]:
    ended = subprocess.run(list(map(str, command)), cwd=course, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=100)
    return ended.returncode, ended.stdout + ended.stderr


def problems(course: Path, cmake: str, ctest: str) -> Iterator[str]:
    yield from leaks(course)
    for words, wanted, shown in COMMANDS:
        status, text = said(sys.executable, "-B", "scripts/workbook", *words.split(), course=course)
        if status != wanted or shown not in text:
            yield f"scripts/workbook {words}: exit status {status}, and it should be {wanted}, with `{shown}`:\n{text}"
    status, text = said(cmake, "--preset", "simulator", course=course)
    if status != 0:
        yield f"it does not configure:\n{text}"
        return
    targets = said(cmake, "--build", "build/simulator", "--target", "help", course=course)[1]
    if not re.search(r"\bjudge_stage03\b", targets):
        yield "it has not what a grader needs: judge_stage03"
    tests = re.findall(r"^ *Test +#\d+: (.*)$", said(ctest, "-N", "--preset", "simulator", course=course)[1], re.MULTILINE)
    if not any(test.startswith("stage03.todo") for test in tests):
        yield "it has no test of stage 3's todo.cu"
    yield from (f"it has the test {test}" for test in tests if re.search(r"\.(answer|wrong)\b", test))


def main() -> int:
    if not (ROOT / "answers").is_dir():
        print("skipped: this course has no answers/ itself")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="workbook-") as scratch:
        course = Path(scratch)
        copy_course(course)
        shutil.rmtree(course / "answers")
        found = list(problems(course, *sys.argv[1:]))
    print("\n".join(found) if found else "nothing is given away")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
