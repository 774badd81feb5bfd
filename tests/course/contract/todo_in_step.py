#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves that a student's file can be made of each answer. A todo.cu that nobody has begun with, as its head tells, is what
is made now. A file that is edited is a student's work, and no fault. A student's file can be seen over: it has at most 250
lines, and 150 in stages 01 to 20. A tenth of the lines of a longer file, at least, is the student's to write.

Usage: todo_in_step.py ROOT"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Iterator

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
from workbook_lib.course import todo_file  # noqa: E402  (its folder has just been put on the path)


MOST_LINES, MOST_AT_FIRST, FIRST_STAGES = 250, 150, 20
SHORT = 50  # lines of a file that may have fewer of the student's
LINES = re.compile(r"// TODO \((?:roughly )?(\d+) lines?\): ")
TOO_LONG = {"stage22", "stage23"}  # whose given code has no headers


def too_long(name: str, todo: str) -> Iterator[str]:
    lines, own = todo.count("\n"), sum(map(int, LINES.findall(todo)))
    most = MOST_AT_FIRST if int(name[len("stage") :]) <= FIRST_STAGES else MOST_LINES
    if lines > most:
        yield f"stages/{name}/todo.cu has {lines} lines, and {most} are allowed: put what is given into headers beside it"
    if lines > SHORT and 10 * own < lines:
        yield f"stages/{name}/todo.cu has {lines} lines, of which the student writes {own}: a tenth is the least"


def problems(root: Path) -> Iterator[str]:
    for answer in sorted(root.glob("answers/stage*/solution.cu")):
        name = answer.parent.name
        text = answer.read_text(encoding="utf-8")
        todo = root / "stages" / name / "todo.cu"
        try:
            made = todo_file.make_todo(text, str(answer.relative_to(root)), int(name[len("stage") :]))
        except todo_file.MarkError as error:
            yield str(error)
            continue
        if not todo.is_file():
            yield f"stages/{name}/todo.cu is missing: run scripts/make_todo"
            continue
        if name not in TOO_LONG:
            yield from too_long(name, made)
        found = todo.read_text(encoding="utf-8")
        if not todo_file.is_untouched(found):
            print(f"stages/{name}/todo.cu is edited, and so left alone")
        elif found != made:
            yield f"stages/{name}/todo.cu was made of an older answer: run scripts/make_todo {int(name[len('stage') :])}"


def main() -> int:
    found = list(problems(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT))
    print("\n".join(found) if found else "in step")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
