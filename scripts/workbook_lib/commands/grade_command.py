# SPDX-License-Identifier: MIT
"""The command scripts/workbook grade: true grades for a folder of submissions, on any machine, without a GPU."""

from __future__ import annotations

import argparse
import json
import secrets
from pathlib import Path
from typing import Dict, List

from ..base import text_table, version
from ..base.errors import WorkbookError
from ..base.files import write_own
from ..base.options import add_command
from ..base.progress import Progress
from ..base.text_table import Column
from ..build import inputs
from ..build.build import Build, build_programs, processors
from ..course import stages
from ..course.stages import Stage
from ..grade import grading, tasks
from ..grade.grading import StageGrade
from ..grade.submissions import submissions
from ..grade.submissions.roster import read_roster
from ..grade.submissions.submissions import Collection, Submission
from ..grade.tasks import Part, Setting
from ..grade.wall import probe, wall as walls
from ..grade.wall.compiler import require_compiler
from ..machine import requirements

ORDER = 105
EXAMPLES = """\
  scripts/workbook grade class --stages 1-7                     a folder in it is a student
  scripts/workbook grade class --stages 3 --seed 5              the same grades again
  scripts/workbook grade class --stages 3 --seed 5 --task 2/8   a part of the work
  scripts/workbook grade class --stages 3 --seed 5 --collect    the grades of all parts"""


def add_to(commands: "argparse._SubParsersAction") -> None:
    grade = add_command(commands, "grade", EXAMPLES, grade_command, help="grade a folder of submissions")
    words = "a folder with a folder, zip, tar file or git repository for each student"
    grade.add_argument("submissions", metavar="FOLDER", type=Path, help=words)
    grade.add_argument("--roster", metavar="CSV", type=Path, help="the students of the class: those without a submission are listed")
    grade.add_argument("--stages", metavar="N", nargs="+", required=True, help="the stages that count, for example 1-7")
    grade.add_argument("--out", metavar="DIR", type=Path, default=Path("grades"), help="where grade.json is written (grades)")
    grade.add_argument("--seed", type=int, metavar="N", help="the secret seed of all inputs; drawn where it is not given")
    grade.add_argument("--jobs", type=int, metavar="N", help="how many submissions at a time (as many as there are cores)")
    grade.add_argument("--task", metavar="K/N", help="grade every N-th part from the K-th on, and write the results alone")
    grade.add_argument("--collect", action="store_true", help="write grade.json from results that are there, and grade nothing")
    grade.add_argument("--wall", choices=("A", "B"), help="this wall, and no other; else the best that works here")
    grade.add_argument("--weak-sandbox", action="store_true", help="grade without a wall: only your own programs")


def grade_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    chosen = stages.select(stages.read_stages(root), arguments.stages)
    roster = read_roster(arguments.roster) if arguments.roster else ()
    collection = submissions.collect(arguments.submissions, chosen, roster)
    students = [*collection.submissions, *(Submission(name, "") for name in collection.without)]
    for problem in [*collection.problems, *(line for student in students for line in student.problems)]:
        progress.say(problem)
    parts = [Part(student.student, stage, student.files.get(stage.name)) for student in students for stage in chosen]
    build = build_for(root, chosen, progress)
    setting = Setting(root, build, arguments.out, seed_for(arguments), inputs.of_course(root))
    own = tasks.chosen(parts, arguments.task)
    if not arguments.collect:
        record = grade_parts(setting, own, chosen[0], arguments, progress)
        if arguments.task is not None:
            return 0
        write_own(arguments.out / "wall.json", json.dumps(record, indent=1) + "\n")
    grades: Dict[str, List[StageGrade]] = {}
    for part in parts:
        grades.setdefault(part.student, []).append(tasks.known(setting, part) or not_graded(part))
    write(arguments.out, collection, grades)
    print(table(grades))
    print(f"\nThe reasons are in {arguments.out}/grade.json. The secret seed is in {arguments.out}/seed: keep it from students.")
    return 1 if any(each.status == grading.GRADER_ERROR for found in grades.values() for each in found) else 0


def not_graded(part: Part) -> StageGrade:
    return StageGrade(part.stage.name, grading.GRADER_ERROR, reason="this part has not been graded: run the command again")


def seed_for(arguments: argparse.Namespace) -> int:
    """The typed seed, else that of an earlier run into this folder, else a new one."""
    file = arguments.out / "seed"
    if arguments.seed is None and (arguments.task is not None or arguments.collect) and not file.exists():
        raise WorkbookError("--task and --collect need --seed N: all parts must have the same")
    seed = arguments.seed if arguments.seed is not None else int(file.read_text()) if file.exists() else secrets.randbelow(1 << 31)
    arguments.out.mkdir(parents=True, exist_ok=True)
    write_own(file, f"{seed}\n")
    file.chmod(0o600)
    return seed


def grade_parts(
    setting: Setting, parts: List[Part], first: Stage, arguments: argparse.Namespace, progress: Progress
) -> Dict[str, object]:
    """Grades them, and returns which wall it was."""
    helper, tries = (setting.build / "bin" / name for name in ("workbook-wall", "workbook-wall-tries"))
    with walls.open_wall(helper, arguments.wall or "", arguments.weak_sandbox) as opened:
        progress.show("Trying the wall")
        hidden = [setting.root / "answers", setting.root / "tests", setting.out / "seed"]
        wall = probe.checked(opened, tries, [each for each in hidden if each.exists()])
        require_compiler(wall, setting.root, setting.build, first)
        jobs = arguments.jobs or processors()

        def tell(number: int) -> None:
            progress.show(f"Grading: {number} of {len(parts)}")

        tell(0)
        for _ in tasks.grade_all(setting, wall, parts, jobs, tell):
            pass
        progress.clear()
        return wall.record.to_json()


def build_for(root: Path, chosen: List[Stage], progress: Progress) -> Path:
    """Builds what the grades need, and nothing of a student. Returns the build folder."""
    build = Build(requirements.set_up(root, progress.say), "default", progress)
    if build_programs(build, [*(f"student_parts_{stage.name}" for stage in chosen), "workbook_wall", "workbook_wall_tries"]):
        raise WorkbookError("The course itself does not build, so nothing is graded", 1)
    return build.folder


def write(folder: Path, collection: Collection, grades: Dict[str, List[StageGrade]]) -> None:
    content = {
        "format": 1,
        "version": version.read(),
        "problems": collection.problems,
        "students": [
            {"name": name, "thousandths": sum(each.thousandths for each in found), "of": grading.FULL * len(found)}
            | {"stages": [each.to_json() for each in found]}
            for name, found in grades.items()
        ],
    }
    write_own(folder / "grade.json", json.dumps(content, indent=1) + "\n")


def table(grades: Dict[str, List[StageGrade]]) -> str:
    rows = list(grades.values())
    columns = [Column(["student"], list(grades), words=True)]
    for index, first in enumerate(rows[0]):
        columns.append(Column([first.stage], [found[index].status for found in rows], words=True))
    points = [f"{sum(each.thousandths for each in found) / grading.FULL:g}" for found in rows]
    return text_table.lay_out([*columns, Column(["points"], points)])
