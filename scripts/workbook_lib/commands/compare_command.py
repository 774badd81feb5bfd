# SPDX-License-Identifier: MIT
"""The command scripts/workbook compare: a student's file beside our answer, after the stage is solved. It shows text
and counters."""

from __future__ import annotations

import argparse
import difflib
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import List, Mapping

from ..access.line_profile import OFF_A_TERMINAL
from ..base import colour, errors
from ..base.errors import WorkbookError
from ..base.options import add_command
from ..base.progress import Progress
from ..build.build import Build, build_programs
from ..course import stages, todo_file
from ..course.stages import Stage
from ..estimate import estimate, parameters, shown
from ..estimate import run as estimate_run
from ..judge import progress_file, records, results, stage_run
from ..judge.stage_run import How
from ..judge.verdict import Verdict
from ..machine import requirements

ORDER = 80
EXAMPLES = """\
  scripts/workbook compare 3            when stage 3 is solved
  scripts/workbook compare 3 --anyway   before"""
KINDS = {"todo": "your file", "answer": "our answer"}


def add_to(commands: "argparse._SubParsersAction") -> None:
    words = "your file beside our answer: the text, and the counters"
    compare = add_command(commands, "compare", EXAMPLES, compare_command, help=words)
    compare.description = "Shows how our answer differs from your file, and the counters of both, when the stage is solved."
    compare.add_argument("stage", metavar="N", help="the stage, for example 3")
    compare.add_argument("--anyway", action="store_true", help="also where the stage is not solved yet")
    shown.add_estimate(compare)


def compare_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    for stage in stages.select(stages.read_stages(root), [arguments.stage]):
        for kind in KINDS:
            stages.absent(root, [stage], kind)
        found = requirements.set_up(root, progress.say)
        build = Build(found, "default", progress)
        if not (arguments.anyway or progress_file.is_solved(records.read(root, progress.say), root, stage)):
            command = f"scripts/workbook compare {stage.number} --anyway"
            raise WorkbookError(f"stage {stage.number} is not solved yet; {command} shows our answer all the same", 1)
        for line in differences(root, stage):
            print(colour.paint(line, colour.CHANGES, sys.stdout))
        broken = build_programs(build, [stage.target(kind) for kind in KINDS])
        print(f"\n{counters(build, stage, broken, progress)}")
        if arguments.estimate and not broken:
            print("\n" + "\n".join(estimates(build, stage, arguments.estimate, progress)))
    return 0


def estimates(build: Build, stage: Stage, name: str, progress: Progress) -> List[str]:
    """The estimates of both programs, and how they compare."""
    gpu, found = parameters.read(name), []
    for kind, words in KINDS.items():
        progress.show(f"{stage.name}: {words}, counting for an estimate")
        found.append(estimate_run.of_program(build.folder / "bin" / stage.program(kind), [], build.folder / "simulator", gpu))
    progress.clear()
    lines = [f"{words}: {estimate.words(each, gpu)}" for words, each in zip(KINDS.values(), found)]
    step = estimate.ratio(*found)
    return [*lines, *([f"our answer beside your file: {step}"] if step else [])]


def differences(root: Path, stage: Stage) -> List[str]:
    """The diff: lines of yours with a -, lines of ours with a +."""
    texts = [todo_file.without_marks(todo_file.read(root / stage.source(kind)).splitlines()) for kind in KINDS]
    names = [f"{words}: {stage.source(kind)}" for kind, words in KINDS.items()]
    lines = list(difflib.unified_diff(*texts, *names, lineterm=""))
    return lines or ["Your file and our answer are the same, to the letter."]


def counters(build: Build, stage: Stage, broken: Mapping[str, str], progress: Progress) -> str:
    """The counters at the lesson's size: a row for each program, or a column where a terminal is too narrow for rows."""
    rows = []
    for kind, words in KINDS.items():
        row = Verdict(stage.name, words, errors.DOES_NOT_MATCH, results.NOT_COMPILED)
        if stage.target(kind) not in broken:
            progress.show(f"{stage.name}: {words}")
            row = stage_run.run_once(stage, How(kind, [], "simulator"), build.folder, progress)
        rows.append(replace(row, title=words))
    progress.clear()
    shown = results.table(rows, "simulator")
    if max(map(len, shown.splitlines())) > shutil.get_terminal_size((OFF_A_TERMINAL, 24)).columns:
        shown = results.upright(rows, "simulator")
    return colour.paint(shown, colour.VERDICTS, sys.stdout)
