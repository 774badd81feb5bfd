#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves that a student's file, as it is handed out, compiles and does not pass. Its program says "not solved yet", names the
line of the TODO, and exits with 77. A file that the student has begun with is another program, and this test is skipped
(exit 77). todo_in_step.py then proves that the file made of the answer has its mark.

Usage: todo_is_unsolved.py PROGRAM TODO"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import List

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
from workbook_lib.course import todo_file  # noqa: E402  (its folder has just been put on the path)

SKIPPED = 77


def problems(program: Path, todo: Path) -> List[str]:
    found = []
    lines = todo.read_text(encoding="utf-8").splitlines()
    for options in (["--size", "1"], ["--size", "100"], ["--cases", "quick"]):
        asked = " ".join(options)
        with tempfile.TemporaryDirectory(prefix="workbook-") as folder:
            report = Path(folder) / "report.json"
            ended = subprocess.run(
                [str(program), *options, "--json", str(report)], timeout=60, check=False, text=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )  # fmt: skip
            if ended.returncode != 77:
                found.append(f"{asked}: exit status {ended.returncode}, expected 77\n{ended.stdout}")
                continue
            said = json.loads(report.read_text(encoding="utf-8"))
        where = re.search(r"(?P<file>stages/stage\d\d/todo\.cu):(?P<line>\d+): \S", said["error"])
        if said["error_kind"] != "unsolved" or not where or not str(todo).endswith(where["file"]):
            found.append(f"{asked}: does not name the place in {todo.name}: {said}")
        elif "WORKBOOK_TODO" not in lines[int(where["line"]) - 1]:
            found.append(f"{asked}: {where['file']}:{where['line']} holds no WORKBOOK_TODO")
    return found


def main() -> int:
    program, todo = Path(sys.argv[1]), Path(sys.argv[2])
    if not todo_file.is_untouched(todo.read_text(encoding="utf-8")):
        print(f"skipped: {todo} is edited, so that its program is not the one that is handed out")
        return SKIPPED
    found = problems(program, todo)
    print("\n".join(found) if found else f"{todo} compiles and is unsolved")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
