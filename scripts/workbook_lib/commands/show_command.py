# SPDX-License-Identifier: MIT
"""The command scripts/workbook show: the accesses of one warp at one line of a student's file, from a recorded run."""

from __future__ import annotations

import argparse
import sys
import textwrap
from pathlib import Path
from typing import List, Sequence

from ..access import access_choice, access_steps, access_text, access_trace, steps_text
from ..access.access_choice import Accesses
from ..access.access_trace import Launch
from ..base import errors
from ..base import text_table
from ..base.errors import WorkbookError
from ..base.options import add_command, bounded
from ..base.progress import Progress
from ..base.text_table import Column
from ..build.build import Build, build_programs
from ..course import stages
from ..course.stages import Stage
from ..machine import requirements
from ..simulator import programs

ORDER = 60
EXAMPLES = """\
  scripts/workbook show 2                   the line that wastes most
  scripts/workbook show 2 --line 30         another one
  scripts/workbook show 2 --answer          beside the same in our answer
  scripts/workbook show 2 --steps           the tree of a sum, the pairs of a sort: who reads what between barriers"""
WIDTH = 80
WASTED = (
    "times: how often the warps of the block did it. wasted: 32 bytes for each sector above those that as many bytes need "
    "side by side, 128 for each pass over shared memory above the least."
)
FIRST_TIMES = "Of what a warp does over and over, the first 64 times were recorded."


def whole_number(text: str) -> int:
    return bounded(text, 0, 2**31 - 1, "a whole number is wanted")


def add_to(commands: "argparse._SubParsersAction") -> None:
    words = "draw what one warp does to memory at a line of your file"
    show = add_command(commands, "show", EXAMPLES, show_command, help=words)
    show.description = (
        "Runs your file once on the simulator, at the stage's own size, and draws the addresses of one access of a warp:\n"
        "the sectors of global memory that it moves, or the banks of shared memory that it takes passes over."
    )
    show.add_argument("stage", metavar="N", help="the stage, for example 2")
    show.add_argument("--line", type=whole_number, metavar="L", help="the line (default: the one that wastes most)")
    show.add_argument(
        "--warp", type=whole_number, metavar="W", help="the warp of the block (default: the one that wastes most)"
    )
    show.add_argument("--block", type=whole_number, default=0, metavar="B", help="the block (default: 0)")
    show.add_argument("--steps", action="store_true", help="what the threads of the block combine, step after step")
    show.add_argument("--answer", action="store_true", help="beside it, what our answer does there")


def show_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    for stage in stages.select(stages.read_stages(root), [arguments.stage]):
        kinds = ["todo", "answer"] if arguments.answer else ["todo"]
        for kind in kinds:
            stages.absent(root, [stage], kind)
        build = Build(requirements.set_up(root, progress.say), "default", progress)
        if build_programs(build, [stage.target(kind) for kind in kinds]):
            return errors.DOES_NOT_MATCH
        progress.show(f"{stage.name}: recording")
        recorded = [record(build.folder, stage, kind, arguments.block) for kind in kinds]
        progress.clear()
        print(
            "\n\n".join(steps(root, stage, kinds, recorded, arguments))
            if arguments.steps
            else text(root, stage, recorded, arguments)
        )
    return errors.MATCHES


def record(build_folder: Path, stage: Stage, kind: str, block: int) -> List[Launch]:
    program = build_folder / "bin" / stage.program(kind)
    ending, launches = access_trace.record(program, build_folder / "simulator", block=block)
    if ending.status not in (errors.MATCHES, errors.DOES_NOT_MATCH):
        why = ending.error or ending.messages or programs.outcome(ending.status)
        raise WorkbookError(f"{stage.source(kind)} did not run to its end, so there is nothing to show: {why}", 1)
    return launches


def text(root: Path, stage: Stage, recorded: Sequence[List[Launch]], arguments: argparse.Namespace) -> str:
    listed = access_choice.by_line(recorded[0], arguments.warp)
    if not listed and access_choice.by_line(recorded[0]):
        raise WorkbookError(f"block {arguments.block} has no warp {arguments.warp} that touches memory")
    if not listed:
        raise WorkbookError(f"block {arguments.block} of no launch touches memory, in lines of your own")
    chosen = access_choice.choose(listed, root / stage.source("todo"), arguments.line)
    answers = access_choice.by_line(recorded[1], arguments.warp) if arguments.answer else []
    others = [access_choice.counterpart(each, answers) for each in chosen]
    pictures = [each.picture(arguments.block) for each in chosen]
    drawn = access_text.text(pictures, [each and each.picture(arguments.block) for each in others], sys.stdout)
    code = f"{pictures[0].file}:{pictures[0].line}: {chosen[0].text}"
    notes = [WASTED, FIRST_TIMES] if any(launch.left_out for launch in recorded[0]) else [WASTED]
    return "\n".join([code, "", drawn, "", lines(listed, root / stage.source("todo")), "", textwrap.fill(" ".join(notes), 80)])


def steps(
    root: Path, stage: Stage, kinds: Sequence[str], recorded: Sequence[List[Launch]], arguments: argparse.Namespace
) -> List[str]:
    drawn = [
        steps_text.text(access_steps.of_launches(launches), arguments.block, root / stage.source(kind))
        for kind, launches in zip(kinds, recorded)
    ]
    return [f"{access_text.WHOSE[kind]}\n\n{each}" if len(kinds) > 1 else each for kind, each in zip(kinds, drawn)]


def lines(listed: Sequence[Accesses], source: Path) -> str:
    """The lines with accesses to show."""
    columns = [
        Column(("line",), [access_trace.place_text([each.kind[:2]], source) for each in listed]),
        Column(("access",), [f"{each.kind[2]}, {each.kind[3]}" for each in listed], words=True),
        Column(("times",), [f"{len(each.events):,}" for each in listed]),
        Column(("wasted",), [f"{each.wasted_bytes:,}" for each in listed]),
    ]
    room = WIDTH - len(text_table.lay_out(columns).splitlines()[-1]) - 2
    return text_table.lay_out([*columns, Column(("",), [each.text[:room].rstrip() for each in listed], words=True)])
