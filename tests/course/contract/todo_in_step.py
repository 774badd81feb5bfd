#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves that a student's file can be made of each answer. A todo.cu that nobody has begun with, as its head tells, is what
is made now. A file that is edited is a student's work, and no fault.

Usage: todo_in_step.py ROOT"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Iterator

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
from workbook_lib.course import todo_file  # noqa: E402  (its folder has just been put on the path)


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
