# SPDX-License-Identifier: MIT
"""The command scripts/workbook calibrate: measures this GPU, and writes the file that --estimate reads."""

from __future__ import annotations

import argparse
import datetime
from pathlib import Path

from ..base import errors
from ..base.errors import WorkbookError
from ..base.options import add_command
from ..base.progress import Progress
from ..build.build import Build
from ..machine import device, requirements
from ..measure import calibration
from .bench_command import writable_file

ORDER = 115
PROGRAM = "calibrate"
EXAMPLES = """\
  scripts/workbook calibrate --out here.json
  scripts/workbook run 3 --estimate here.json   on any machine"""


def add_to(commands: "argparse._SubParsersAction") -> None:
    words = "measure what an estimate of time needs to know of this GPU"
    calibrate = add_command(commands, "calibrate", EXAMPLES, calibrate_command, help=words)
    calibrate.description = (
        "Takes a GPU, and half a minute of it: latencies, rates of instructions, bandwidths, atomics, launches. Nothing\n"
        "else should use the GPU meanwhile."
    )
    calibrate.add_argument("--out", type=writable_file, metavar="FILE", help="the file (default: build/NAME.json)")


def calibrate_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    found = requirements.set_up(root, progress.say)
    choice = requirements.choose_device("auto", found.nvcc)
    gpu, _ = device.probe()
    if choice.device == "simulator" or gpu is None:
        raise WorkbookError(f"calibrate measures a GPU: {choice.reason}. Files of other GPUs come with the workbook: --estimate h200")
    build = Build(found, "default", progress)
    if not build.is_configured():
        build.configure()
    broken = build.try_targets([PROGRAM])
    if broken:
        raise WorkbookError(f"the program {PROGRAM} does not compile:\n{broken[PROGRAM]}", 1)
    progress.show("measuring this GPU")
    runs = calibration.measure(build.folder / "bin" / PROGRAM)
    capability = 10 * gpu.capability[0] + gpu.capability[1]
    content = calibration.parameters(runs, capability, datetime.date.today().isoformat())
    file = arguments.out or root / "build" / f"{content['name']}.json"
    file.write_text(calibration.text(content), encoding="utf-8")
    progress.say(f"wrote {file}. Use it: scripts/workbook run N --estimate {file}")
    return errors.MATCHES
