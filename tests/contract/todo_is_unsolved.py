#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves that a student's file, as it is handed out, compiles and does not pass: its program says "not solved yet",
names the line of the TODO, and exits with 77. A file that the student has begun to edit is left alone (exit 77)."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import List

SKIPPED = 77


def problems(program: Path, todo: Path) -> List[str]:
    found = []
    lines = todo.read_text(encoding="utf-8").splitlines()
    for size in ("1", "1000"):
        ended = subprocess.run(
            [str(program), "--size", size, "--json"], timeout=60, check=False, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        if ended.returncode != 77:
            found.append(f"--size {size}: exit status {ended.returncode}, expected 77\n{ended.stdout}{ended.stderr}")
            continue
        said = json.loads(ended.stdout)
        where = re.match(r"(?P<file>stages/stage\d\d/todo\.cu):(?P<line>\d+): \S", said["error"])
        if said["error_kind"] != "unsolved" or not where or not str(todo).endswith(where["file"]):
            found.append(f"--size {size}: does not name the place in {todo.name}: {ended.stdout}")
        elif "WORKBOOK_TODO" not in lines[int(where["line"]) - 1]:
            found.append(f"--size {size}: {where['file']}:{where['line']} holds no WORKBOOK_TODO")
    return found


def is_edited(todo: Path) -> bool:
    """Whether git knows a committed version of the file that differs from it."""
    try:
        return subprocess.run(
            ["git", "diff", "--quiet", "HEAD", "--", todo.name], cwd=todo.parent, check=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        ).returncode == 1  # fmt: skip
    except OSError:
        return False  # no git here: take the file for the one that was handed out


def main() -> int:
    program, todo = Path(sys.argv[1]), Path(sys.argv[2])
    if is_edited(todo):
        print(f"skipped: {todo} differs from the committed file, so somebody is working on it")
        return SKIPPED
    found = problems(program, todo)
    print("\n".join(found) if found else f"{todo} compiles and is unsolved")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
