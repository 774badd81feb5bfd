# SPDX-License-Identifier: MIT
"""The command scripts/workbook grade: true grades for a folder of submissions, on any machine, without a GPU."""

from __future__ import annotations

import argparse
import json
import secrets
from pathlib import Path
from typing import Dict, List, Optional

from ..base import text_table, version
from ..base.errors import WorkbookError
from ..base.files import write_own
from ..base.options import add_command
from ..base.progress import Progress
from ..base.text_table import Column
from ..build.build import Build, build_programs
from ..course import stages
from ..course.stages import Stage
from ..grade import grading
from ..grade.grading import StageGrade
from ..grade.wall import probe, wall as walls
from ..machine import requirements

ORDER = 105
EXAMPLES = """\
  scripts/workbook grade submissions --stages 1-7 --out grades    a folder in it is a student
  scripts/workbook grade submissions --stages 3 --seed 20261128   the same grades once more"""
LARGEST_TODO = 1 << 20


def add_to(commands: "argparse._SubParsersAction") -> None:
    grade = add_command(commands, "grade", EXAMPLES, grade_command, help="grade a folder of submissions")
    grade.add_argument("submissions", metavar="FOLDER", type=Path, help="a folder with a folder for each student")
    grade.add_argument("--stages", metavar="N", nargs="+", required=True, help="the stages that count, for example 1-7")
    grade.add_argument("--out", metavar="DIR", type=Path, default=Path("grades"), help="where grade.json is written (grades)")
    grade.add_argument("--seed", type=int, metavar="N", help="the secret seed of all inputs; drawn where it is not given")
    grade.add_argument("--wall", choices=("A", "B"), help="this wall, and no other; else the best that works here")
    grade.add_argument("--weak-sandbox", action="store_true", help="grade without a wall: only your own programs")


def students_in(folder: Path) -> List[Path]:
    if not folder.is_dir():
        raise WorkbookError(f"{folder} is no folder")
    found = sorted(each for each in folder.iterdir() if each.is_dir() and not each.is_symlink() and not each.name.startswith("."))
    if not found:
        raise WorkbookError(f"{folder} has no folder of a student")
    return found


def handed_in(student: Path, stage: Stage) -> Optional[bytes]:
    """The student's todo.cu of this stage: in stages/stageNN or in stageNN. No link is followed."""
    for place in (student / "stages" / stage.name, student / stage.name):
        file = place / "todo.cu"
        if file.is_file() and not any(each.is_symlink() for each in (file, place, place.parent)):
            if file.stat().st_size > LARGEST_TODO:
                return None
            return file.read_bytes()
    return None


def grade_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    chosen = stages.select(stages.read_stages(root), arguments.stages)
    submissions = students_in(arguments.submissions)
    seed = arguments.seed if arguments.seed is not None else secrets.randbelow(1 << 31)
    build = build_for(root, chosen, progress)
    helper, tries = (build / "bin" / name for name in ("workbook-wall", "workbook-wall-tries"))
    grades: Dict[str, List[StageGrade]] = {}
    with walls.open_wall(helper, arguments.wall or "", arguments.weak_sandbox) as opened:
        progress.show("trying the wall")
        wall = probe.checked(opened, tries)
        for student in submissions:
            for stage in chosen:
                progress.show(f"{student.name}: {stage.name}")
                grade = grading.of_stage(wall, root, build, stage, handed_in(student, stage), seed)
                grades.setdefault(student.name, []).append(grade)
        record = wall.record.to_json()
    progress.clear()
    write(arguments.out, seed, record, grades)
    print(table(grades))
    print(f"\nWall {record['level']}. The secret seed is in {arguments.out}/seed, and {arguments.out}/grade.json has the reasons.")
    return 0


def build_for(root: Path, chosen: List[Stage], progress: Progress) -> Path:
    """Builds what the grades need, and nothing of a student. Returns the build folder."""
    build = Build(requirements.set_up(root, progress.say), "default", progress)
    if build_programs(build, [*(f"student_parts_{stage.name}" for stage in chosen), "workbook_wall", "workbook_wall_tries"]):
        raise WorkbookError("The course itself does not build, so nothing is graded", 1)
    return build.folder


def write(folder: Path, seed: int, wall: Dict[str, object], grades: Dict[str, List[StageGrade]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    content = {
        "format": 1,
        "version": version.read(),
        "wall": wall,
        "students": [
            {"name": name, "thousandths": sum(each.thousandths for each in found), "of": grading.FULL * len(found)}
            | {"stages": [each.to_json() for each in found]}
            for name, found in grades.items()
        ],
    }
    write_own(folder / "grade.json", json.dumps(content, indent=1) + "\n")
    write_own(folder / "seed", f"{seed}\n")


def table(grades: Dict[str, List[StageGrade]]) -> str:
    rows = list(grades.values())
    columns = [Column(["student"], list(grades), words=True)]
    for index, first in enumerate(rows[0]):
        columns.append(Column([first.stage], [found[index].status for found in rows], words=True))
    points = [f"{sum(each.thousandths for each in found) / grading.FULL:g}" for found in rows]
    return text_table.lay_out([*columns, Column(["points"], points)])
