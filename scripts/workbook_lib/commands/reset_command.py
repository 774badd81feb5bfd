# SPDX-License-Identifier: MIT
"""The command scripts/workbook reset: restores a stage's original file and its given headers, and keeps the student's."""

from __future__ import annotations

import argparse
import subprocess
from pathlib import Path
from typing import List

from ..base import files
from ..base.errors import WorkbookError
from ..base.options import add_command
from ..base.progress import Progress
from ..course import stages, todo_file
from ..judge import progress_file, records

ORDER = 100


def add_to(commands: "argparse._SubParsersAction") -> None:
    words = "begin a stage anew; your files are kept beside the new ones"
    reset = add_command(commands, "reset", "  scripts/workbook reset 3", reset_command, help=words)
    reset.add_argument("stage", metavar="N", help="the stage, for example 3")


def reset_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    for stage in stages.select(stages.read_stages(root), [arguments.stage]):
        restore_headers(root, stage)
        file, answer = root / stage.source("todo"), root / stage.source("answer")
        if not answer.is_file():
            raise WorkbookError(
                f"this copy of the course has no {stage.source('answer')}, from which the file is made: "
                f"git checkout {stage.source('todo')} brings back what was committed last"
            )
        with records.change(root, progress.say) as kept:
            progress_file.forget_hints(kept, stage)
        text = todo_file.make_todo(todo_file.read(answer), str(stage.source("answer")), stage.number)
        try:
            old = todo_file.read(file) if file.exists() else ""
        except OSError as error:
            raise WorkbookError(f"{stage.source('todo')} {error.strerror}: remove it first") from error
        if old == text:
            print(f"{stage.source('todo')} is as it is handed out")
            continue
        if old and not todo_file.is_untouched(old):
            print(f"Your file is kept as {todo_file.keep(file).relative_to(root)}")
        files.write_own(file, text)
        print(f"{stage.source('todo')} is as it is handed out now")
    return 0


def restore_headers(root: Path, stage: stages.Stage) -> None:
    """Brings back the given headers that differ from what git has. Without git nothing is known of them."""
    for name in git(root, "diff", "--relative", "--name-only", "HEAD", "--", f"stages/{stage.name}/*.cuh"):
        file, text = root / name, "\n".join(git(root, "show", f"HEAD:./{name}"))
        if file.exists():
            print(f"Your header is kept as {todo_file.keep(file).relative_to(root)}")
        files.write_own(file, text + "\n")
        print(f"{name} is as git has it now")


def git(root: Path, *words: str) -> List[str]:
    """The lines that git prints. None where it fails, or is not installed."""
    try:
        ended = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, errors="surrogateescape")
    except OSError:
        return []
    return ended.stdout.splitlines() if ended.returncode == 0 else []
