# SPDX-License-Identifier: MIT
"""The command scripts/workbook grade: true grades for a folder of submissions, on any machine, without a GPU."""

from __future__ import annotations

import argparse
import json
import os
import secrets
from collections import Counter
from pathlib import Path
from typing import Dict, List, Optional, TextIO

from ..base import errors, text_table
from ..base.errors import WorkbookError
from ..base.files import write_atomically, write_own
from ..base.options import add_command
from ..base.progress import Progress
from ..base.text_table import Column
from ..build import inputs
from ..build.build import Build, build_programs, processors
from ..build.build_lock import lock_of
from ..course import stages
from ..course.stages import Stage
from ..grade import book, cluster, compare, grading, rules, tasks
from ..grade.book import Book
from ..grade.exports import autograder, formats, gradebook
from ..grade.page import class_data, class_page
from ..grade.rules import Rules
from ..grade.submissions import submissions
from ..grade.submissions.roster import read_roster
from ..grade.submissions.submissions import Submission
from ..grade.tasks import Part, Setting
from ..grade.wall import compiler, probe, wall as walls
from ..machine import plotting, requirements

ORDER = 105
SEED = "seed"  # a file in the folder of the grades
TEMPLATE = "scripts/workbook_lib/grade/class.toml"
EXAMPLES = """\
  scripts/workbook grade class --stages 1-7                     a folder in it is a student
  scripts/workbook grade class --class class.toml               stages, weights and late points from a file
  scripts/workbook grade class --stages 3 --seed 5 --task 2/8   a part of the work
  scripts/workbook grade class --stages 3 --seed 5 --collect    the grades of all parts
  scripts/workbook grade --from grades --export markdown csv    files of grades that are there
  scripts/workbook grade --from grades --gradebook canvas.csv   the export of Canvas, with its columns filled in"""


def add_to(commands: "argparse._SubParsersAction") -> None:
    grade = add_command(commands, "grade", EXAMPLES, grade_command, help="grade a folder of submissions")
    words = "a folder with a folder, zip, tar file or git repository for each student"
    grade.add_argument("submissions", metavar="FOLDER", type=Path, nargs="?", help=words)
    grade.add_argument("--class", dest="rules", metavar="TOML", type=Path, help=f"stages, weights and more ({TEMPLATE} explains each line)")
    grade.add_argument("--roster", metavar="CSV", type=Path, help="the students of the class: those without a submission are listed")
    grade.add_argument("--stages", metavar="N", nargs="+", help="the stages that count, for example 1-7")
    grade.add_argument("--out", metavar="DIR", type=Path, help="where grade.json is written (grades)")
    grade.add_argument("--seed", type=int, metavar="N", help="the secret seed of all inputs; drawn where it is not given")
    grade.add_argument("--jobs", type=int, metavar="N", help="how many submissions at a time (as many as there are cores)")
    grade.add_argument("--task", metavar="K/N", help="grade every N-th part from the K-th on, and write the results alone")
    grade.add_argument("--collect", action="store_true", help="write grade.json from results that are there, and grade nothing")
    grade.add_argument("--built", action="store_true", help="the course is built: build nothing, so that several tasks can share it")
    grade.add_argument("--slurm", action="store_true", help="grade on a cluster: write a job array of tasks, and submit it by sbatch")
    grade.add_argument("--wall", choices=("A", "B"), help="this wall, and no other; else the best that works here")
    grade.add_argument("--weak-sandbox", action="store_true", help="grade without a wall: only your own programs")
    grade.add_argument("--from", dest="kept", metavar="DIR", type=Path, help="take the grade.json that is there, and grade nothing")
    grade.add_argument("--export", metavar="FORMAT", nargs="+", choices=formats.NAMES, default=[], help=", ".join(formats.NAMES))
    words = "write this export of Canvas, Moodle or Blackboard once more, with its columns filled in"
    grade.add_argument("--gradebook", metavar="FILE", type=Path, help=words)
    grade.add_argument("--compare", metavar="OLD", type=Path, help="whose grade differs from this earlier grade.json, and why")
    grade.add_argument("--report", metavar="FILE", type=Path, help="write one page about the class: stages, students, mistakes, best counters")
    grade.add_argument("--hide-names", action="store_true", help="no names in that page")
    grade.add_argument("--autograder", metavar="ZIP", type=Path, help="write an autograder for Gradescope, and grade nothing")


def grade_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    if arguments.autograder:
        print(autograder.write(root, arguments.autograder, arguments.rules, arguments.stages or ()))
        return 0
    old = book.read(arguments.compare) if arguments.compare else None  # before a new one takes its place
    if arguments.kept:
        arguments.out = arguments.out or (arguments.kept if arguments.kept.is_dir() else arguments.kept.parent)
        made = book.read(arguments.kept)
    elif arguments.submissions is None:
        raise WorkbookError("grade: name the folder of the submissions, or grades that are there with --from")
    else:
        arguments.out = arguments.out or Path("grades")
        found = graded(root, arguments, progress)
        if found is None:
            return 0
        made = found
        print(table(made))
        print(f"\nThe reasons are in {arguments.out}/{book.FILE}. The secret seed is in {arguments.out}/{SEED}: keep it from students.")
    if old is not None:
        print(f"\n{compare.text(old, made)}")
    if arguments.report:
        plotting.make_importable(root, progress.say, plotting.TEXT)
        write_atomically(arguments.report, class_page.render(class_data.gather(made, arguments.hide_names)))
        print(f"{arguments.report} is one page about the class")
    arguments.out.mkdir(parents=True, exist_ok=True)
    for line in formats.write(made, arguments.export, arguments.out):
        print(line)
    if arguments.gradebook:
        target = arguments.out / arguments.gradebook.name
        if target.exists() and target.samefile(arguments.gradebook):
            raise WorkbookError(f"{arguments.gradebook} would be overwritten: give another --out")
        for line in gradebook.fill_file(arguments.gradebook, made, target):
            print(line)
    return 1 if any(map(book.has_grader_error, made["students"])) else 0


def graded(root: Path, arguments: argparse.Namespace, progress: Progress) -> Optional[Book]:
    """The grades. None where only a part of the work was done."""
    chosen_rules = rules.read(arguments.rules)
    chosen = stages.select(stages.read_stages(root), arguments.stages or chosen_rules.stages)
    roster = read_roster(arguments.roster) if arguments.roster else ()
    for each in roster:
        book.lateness(chosen_rules, each.key, each.columns)  # a time that can't be read ends it here, before any work
    collection = submissions.collect(arguments.submissions, chosen, roster)
    students = [*collection.submissions, *(Submission(name, "") for name in collection.without)]
    for problem in [*collection.problems, *(told(student, line) for student in students for line in student.problems)]:
        progress.say(problem)
    parts = [Part(student.student, stage, student.files.get(stage.name)) for student in students for stage in chosen]
    build = built(root, progress) if arguments.built else build_for(root, chosen, progress)
    setting = Setting(root, build, arguments.out, seed_for(arguments, chosen_rules), inputs.of_course(root))
    if arguments.slurm:
        print(cluster.submit(cluster.Job(root, arguments.out, len(students), len(chosen)), task_words(arguments)))
        return None
    if not arguments.collect:
        record = grade_parts(setting, tasks.chosen(parts, arguments.task), chosen[0], arguments, progress)
        if arguments.task is not None:
            return None
        write_own(arguments.out / "wall.json", json.dumps(record, indent=1) + "\n")
    made = book.make(setting, chosen_rules, chosen, collection, roster, parts)
    book.write(made, arguments.out)
    return made


def told(student: Submission, problem: str) -> str:
    """A problem with the name of the student, or of what was handed in."""
    return problem if problem.startswith(f"{student.source}: ") else f"{student.student}: {problem}"


def seed_for(arguments: argparse.Namespace, chosen: Rules) -> int:
    """The typed seed, else that of the rules, else that of an earlier run into this folder, else a new one."""
    file = arguments.out / SEED
    seed = arguments.seed if arguments.seed is not None else chosen.seed
    if seed is None and (arguments.task is not None or arguments.collect) and not file.exists():
        raise WorkbookError("--task and --collect need --seed N: all parts must have the same")
    kept = int(file.read_text()) if file.exists() else None
    seed = seed if seed is not None else kept if kept is not None else secrets.randbits(grading.SEED_BITS)
    if seed != kept:  # several tasks may read it at the same time
        arguments.out.mkdir(parents=True, exist_ok=True)
        with create_private(file) as opened:
            opened.write(f"{seed}\n")
    return seed


def create_private(file: Path) -> TextIO:
    """A new file that only its owner may read, at no moment anybody else."""
    file.unlink(missing_ok=True)
    return open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii")


def grade_parts(
    setting: Setting, parts: List[Part], first: Stage, arguments: argparse.Namespace, progress: Progress
) -> Dict[str, object]:
    """Grades them, and returns which wall it was."""
    helper, tries = (setting.build / "bin" / name for name in ("workbook-wall", "workbook-wall-tries"))
    with walls.open_wall(helper, arguments.wall or "", arguments.weak_sandbox) as opened:
        progress.show("Trying the wall")
        hidden = [setting.root / "answers", setting.root / "tests", setting.out / SEED]
        wall = probe.checked(opened, tries, [each for each in hidden if each.exists()])
        compiler.require_compiler(wall, setting.root, setting.build, first)
        counted = Counter(part.stage for part in parts if part.todo is not None and tasks.known(setting, part) is None)
        progress.show("Compiling what all files of a stage have in common")
        compiler.prepare(wall, setting.root, setting.build, counted)
        jobs = arguments.jobs or processors()

        def tell(number: int) -> None:
            progress.show(f"Grading: {number} of {len(parts)}")

        tell(0)
        try:
            for _ in tasks.grade_all(setting, wall, parts, jobs, tell):
                pass
        except KeyboardInterrupt as interrupt:
            words = "stopped. What is graded is kept, and the same command grades the rest"
            raise WorkbookError(words, errors.INTERRUPTED) from interrupt
        progress.clear()
        return wall.record.to_json()


def task_words(arguments: argparse.Namespace) -> List[str]:
    """What a task of this command gets. The seed is not among them, as everybody can see the words of a process."""
    words = [str(arguments.submissions.resolve()), "--out", str(arguments.out.resolve())]
    for option, file in (("--class", arguments.rules), ("--roster", arguments.roster)):
        words += [option, str(file.resolve())] if file else []
    words += ["--wall", arguments.wall] if arguments.wall else []
    return words + (["--stages", *arguments.stages] if arguments.stages else [])


def built(root: Path, progress: Progress) -> Path:
    """The build folder of a course that somebody has built."""
    folder = root / "build" / "default"
    if not (folder / "bin" / "workbook-wall-tries").exists():
        raise WorkbookError(f"{folder} is not built for grading: leave --built out once")
    lock_of(folder).for_programs(progress.say)
    return folder


def build_for(root: Path, chosen: List[Stage], progress: Progress) -> Path:
    """Builds what the grades need, and nothing of a student. Returns the build folder."""
    build = Build(requirements.set_up(root, progress.say), "default", progress)
    if build_programs(build, [*(f"student_parts_{stage.name}" for stage in chosen), "workbook_wall", "workbook_wall_tries"]):
        raise WorkbookError("The course itself does not build, so nothing is graded", 1)
    return build.folder


def table(made: Book) -> str:
    rows = made["students"]
    columns = [Column(["student"], [row["name"] for row in rows], words=True)]
    for index, stage in enumerate(made["stages"]):
        columns.append(Column([stage["stage"]], [row["stages"][index]["status"] for row in rows], words=True))
    return text_table.lay_out([*columns, Column(["points"], [book.points(row["points"]) for row in rows])])
