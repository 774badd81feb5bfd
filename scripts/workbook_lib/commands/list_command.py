# SPDX-License-Identifier: MIT
"""The commands scripts/workbook list, and scripts/workbook alone: the progress in the course, and the next command."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import List, Optional, Sequence

from ..base import colour
from ..base.options import add_command
from ..base.progress import Progress
from ..build.build import Build, build_programs
from ..course import stages, tracks
from ..course.stages import Stage
from ..course.tracks import Track
from ..estimate import bars, parameters, shown
from ..estimate import run as estimate_run
from ..estimate.parameters import Gpu
from ..judge import progress_file
from ..judge import records as kept
from ..judge.records import Records
from ..machine import requirements
from ..measure import bench_data, step_gain

ORDER = 40


def add_to(commands: "argparse._SubParsersAction") -> None:
    words = "show the stages, how far you are with each, and what it bought"
    examples = """\
  scripts/workbook list
  scripts/workbook list --estimate h200   and an estimate of the time of each solved stage on a GPU"""
    shown.add_estimate(add_command(commands, "list", examples, list_command, help=words))


def list_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    listed, records = stages.read_stages(root), kept.read(root, progress.say)
    width = max(len(stage.title) for stage in listed)
    for track in tracks.read_tracks(root):
        if track.title:
            print(f"{track_words(root, track, listed, records)}")
        for stage in track.stages:
            words = state_words(root, listed, stage, records)
            print(colour.paint(f"{stage.number:3}  {stage.title:{width}}  {words}", colour.SOLVED, sys.stdout))
        print()
    stage = progress_file.current(records, root, listed)
    if arguments.estimate:
        solved = [each for each in listed if progress_file.is_solved(records, root, each)]
        print("\n".join([*estimates(root, solved, records, parameters.read(arguments.estimate), progress), ""]))
    print(f"{progress_bar(root, listed, records, stage)}\n{next_words(stage)}")
    return 0


def estimates(root: Path, solved: Sequence[Stage], records: Records, gpu: Gpu, progress: Progress) -> List[str]:
    """Bars of the estimates of the solved files, each at the lesson's size."""
    build = Build(requirements.set_up(root, progress.say), "default", progress)
    broken = build_programs(build, [stage.target("todo") for stage in solved]) if solved else {}
    rows = []
    for stage in (each for each in solved if each.target("todo") not in broken):
        progress.show(f"{stage.name}: counting for an estimate")
        found = estimate_run.of_program(build.folder / "bin" / stage.program("todo"), [], build.folder / "simulator", gpu)
        row = progress_file.row(records, root, stage)
        rows.append(bars.Row(f"{stage.number:3}  {stage.title}", found, bench_data.answer_us(root, gpu.name, stage.name, row and row.size)))
    progress.clear()
    return bars.lines(gpu, rows)


def track_words(root: Path, track: Track, listed: Sequence[Stage], records: Records) -> str:
    """The head of a ladder: its title, how far it is, and what should come before it."""
    solved = [stage for stage in listed if progress_file.is_solved(records, root, stage)]
    before = tracks.numbers(track.missing(solved))
    return f"{track.title}  {ladder(track.stages, solved)}" + (f"  before it: {before}" if before else "")


def here_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    listed, records = stages.read_stages(root), kept.read(root, progress.say)
    stage = progress_file.current(records, root, listed)
    print(progress_bar(root, listed, records, stage))
    if stage is not None:
        print(f"\nStage {stage.number}: {stage.title}")
        print(f"  lesson  stages/{stage.name}/README.md")
        print(f"  file    {stage.source('todo')}: {state_words(root, listed, stage, records)}")
    print(f"\n{next_words(stage)}\nAll commands: scripts/workbook --help")
    return 0


def state_words(root: Path, listed: Sequence[Stage], stage: Stage, records: Records) -> str:
    words = progress_file.of_todo(records, root, stage)
    gain = step_gain.words(root, *step_gain.rows(root, listed, stage, records)) if words == progress_file.SOLVED else ""
    words += f": {gain}" if gain else ""
    hints = progress_file.hints_taken(records, stage)
    words += f" ({hints} hint{'s' if hints > 1 else ''} taken)" if hints else ""
    if progress_file.template_has_changed(root, stage):
        keeps = "" if progress_file.is_untouched(root, stage) else ", and keeps yours"
        reset = f"scripts/workbook reset {stage.number} makes it{keeps}"
        words += f"; the course hands out another file by now ({reset})"
    return words


def progress_bar(root: Path, listed: Sequence[Stage], records: Records, stage: Optional[Stage]) -> str:
    """The ladder of the stage's track, or of the course, and how many of all stages are solved."""
    solved = [each for each in listed if progress_file.is_solved(records, root, each)]
    track = tracks.track_of(root, stage) if stage else Track("", tuple(listed), ())
    return f"{track.title}  {ladder(track.stages, solved)}  {len(solved)} of {len(listed)} solved".lstrip()


def ladder(stages_of_it: Sequence[Stage], solved: Sequence[Stage]) -> str:
    """A bar with one place for each stage."""
    return f"[{''.join('#' if stage in solved else '.' for stage in stages_of_it)}]"


def next_words(stage: Optional[Stage]) -> str:
    if stage is None:
        return "All stages are solved. Next: scripts/workbook bench shows all answers side by side"
    return f"Next: scripts/workbook watch {stage.number}"
