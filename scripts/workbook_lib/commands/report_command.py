# SPDX-License-Identifier: MIT
"""The command scripts/workbook report: one page about all stages that a student has solved."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from ..base import errors, files
from ..base.errors import WorkbookError
from ..base.options import add_command
from ..base.progress import Progress
from ..build.build import Build, build_programs
from ..course import stages
from ..estimate import parameters, shown
from ..judge import progress_file, records
from ..machine import plotting, requirements
from ..measure import bench_data
from ..report import report_data
from .bench_command import writable_file

ORDER = 90
EXAMPLES = """\
  scripts/workbook report                             writes ladder.html
  scripts/workbook report --out mine.html --times bench.json
                                                      with your times: bench --todo --json bench.json, on a GPU"""


def add_to(commands: "argparse._SubParsersAction") -> None:
    words = "write one page about all stages that you have solved"
    report = add_command(commands, "report", EXAMPLES, report_command, help=words)
    report.description = (
        "Writes one HTML file, which needs nothing else: counters and times beside our answer's and the library's, your\n"
        "source with its counters, and pictures of how its warps touch memory. It needs matplotlib and Jinja2, and installs\n"
        "them into .toolkit where they are missing."
    )
    report.add_argument(
        "--out", type=writable_file, default=Path("ladder.html"), metavar="FILE", help="default: ladder.html"
    )
    report.add_argument(
        "--times", type=Path, metavar="FILE", help="your own times, which bench --todo --json has saved"
    )
    shown.add_estimate(report)
    report.add_argument("--json", type=writable_file, metavar="FILE", help="save what the page shows, as data")


def report_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    listed = stages.read_stages(root)
    gpu = parameters.read(arguments.estimate) if arguments.estimate else None
    own = bench_data.read(arguments.times) if arguments.times else None
    bench = bench_data.read(root / "scripts" / "measured" / "bench_h200.json")
    kept = records.read(root, progress.say)
    solved = [stage for stage in listed if progress_file.is_solved(kept, root, stage)]
    if not solved:
        raise WorkbookError("no stage is solved yet, so there is nothing to report: scripts/workbook list", 1)
    build = Build(requirements.set_up(root, progress.say), "default", progress)
    plotting.make_importable(root, progress.say, plotting.PAGE)
    from ..report import report_page  # it needs the libraries that were just installed

    # Includes the stage before each, because the page shows its access, too.
    wanted = [
        each for each in listed if each in solved or listed[min(listed.index(each) + 1, len(listed) - 1)] in solved
    ]
    answers = [stage for stage in wanted if (root / stage.source("answer")).is_file()]
    broken = build_programs(
        build, [*(each.target("todo") for each in solved), *(each.target("answer") for each in answers)]
    )
    if any(stage.target("todo") in broken for stage in solved):
        return errors.DOES_NOT_MATCH
    answers = [stage for stage in answers if stage.target("answer") not in broken]
    runs = report_data.Runs(build.folder, progress.show)
    data = report_data.gather(root, listed, kept, runs, answers, bench, own, gpu)
    progress.clear()
    page = report_page.render(data, bench, report_data.families(bench, own, solved))
    try:
        if arguments.json:
            files.write_atomically(arguments.json, json.dumps(data, indent=1) + "\n")
        files.write_atomically(arguments.out, page)
    except OSError as error:
        raise WorkbookError(f"cannot write {error.filename or arguments.out}: {error.strerror}") from error
    progress.say(f"wrote {arguments.out}: {len(solved)} stages")
    return errors.MATCHES
