# SPDX-License-Identifier: MIT
"""The command scripts/workbook profile: the lines of a student's file with the counters of each line."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..base import errors
from ..base.options import add_command
from ..base.progress import Progress
from ..build.build import Build, build_programs
from ..course import stages
from ..estimate import shown
from ..machine import requirements
from . import simulate

ORDER = 70


def add_to(commands: "argparse._SubParsersAction") -> None:
    words = "show the lines of your file with what each of them costs"
    profile = add_command(commands, "profile", "  scripts/workbook profile 3", profile_command, help=words)
    profile.description += " Runs it once on the simulator, at the stage's own size."
    profile.add_argument("stage", metavar="N", help="the stage, for example 3")
    shown.add_estimate(profile)


def profile_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    for stage in stages.select(stages.read_stages(root), [arguments.stage]):
        stages.absent(root, [stage], "todo")
        build = Build(requirements.set_up(root, progress.say), "default", progress)
        # A file that does not compile has no profile: the counters of another text would be misleading.
        if build_programs(build, [stage.target("todo")]):
            return errors.DOES_NOT_MATCH
        progress.show(f"{stage.name}: counting")
        program = build.folder / "bin" / stage.program("todo")
        how = ["--estimate", arguments.estimate] if arguments.estimate else []
        status = simulate.main(root, ["--check", "none", *how, "--profile", "--", str(program)])
        if status != errors.MATCHES:
            return status
    return errors.MATCHES
