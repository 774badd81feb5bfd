# SPDX-License-Identifier: MIT
"""The command scripts/workbook test: builds the programs of the chosen tests, and runs ctest."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..base.errors import WorkbookError
from ..base.options import ANYWHERE, add_command, add_device
from ..base.progress import Progress
from ..build import ctest
from ..build.build import Build, BuildFailure, processors
from ..judge import progress_file, records
from ..machine import requirements

ORDER = 120
EXAMPLES = """\
  scripts/workbook test              all tests
  scripts/workbook test -R stage03   those of a stage; all options of ctest"""


def add_to(commands: "argparse._SubParsersAction") -> None:
    usage = "%(prog)s [-h] [--device D] [ctest options]"
    test = add_command(commands, "test", EXAMPLES, test_command, help="build and run all tests, or some", usage=usage)
    test.description = (
        "Builds, and runs ctest. Options that are not listed here go to ctest, like -V. For some tests (-R stage03) "
        "only their programs are built; but everything, where a chosen test is a script that does not name its programs."
    )
    test.set_defaults(passes_on=ANYWHERE)
    add_device(test)


def test_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    found = requirements.set_up(root, progress.say)
    choice = requirements.choose_device(arguments.device, found.nvcc)
    preset = {"auto": "default", "gpu": "gpu", "simulator": "simulator"}[arguments.device]
    build = Build(found, preset, progress)
    build.configure()
    at_once = processors() + 1  # some tests wait most of the time: at a terminal, or for a limit of time
    words = [found.ctest, "--preset", preset, "--parallel", str(at_once), *arguments.passed_on]
    targets = ctest.targets(build, words) if arguments.passed_on else []
    if not (root / "answers").is_dir():
        progress.say("answers/ is missing here, and with it the tests of answers, of variants and of wrong kernels")
    is_part = targets and "all" not in targets
    progress.say(f"Building what these tests need: {len(targets)} targets" if is_part else "Building everything first")
    try:
        build.build(targets)
    except BuildFailure as failure:
        raise WorkbookError("\n".join(dict.fromkeys(failure.messages.values())), 1) from failure
    with records.change(root, progress.say) as kept:
        progress.say(f"Testing on {progress_file.device_words(kept, choice)}")
        progress_file.note_device(kept, choice)
    return 0 if requirements.run_visibly(words, root) == 0 else 1
