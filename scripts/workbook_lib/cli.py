# SPDX-License-Identifier: MIT
"""The commands of scripts/workbook: what they accept, and the order of their steps."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Mapping, Sequence, Tuple

from . import bench_command, command, ctest, machine, new_stage, question_command, run_command, stages, state
from .build import Build, BuildFailure, processors
from .errors import WorkbookError
from .options import Parser, add_device
from .progress import Progress


def make_parser() -> Tuple[Parser, Mapping[str, Parser]]:
    """Of the whole, and by command."""
    parser = Parser(
        prog="scripts/workbook",
        description="The CUDA Workbook: build, run and check the stages, with a GPU or without.",
    )
    commands = parser.add_subparsers(dest="command", metavar="command", required=True, parser_class=Parser)

    run_command.add_to(commands)
    bench_command.add_to(commands)

    test = commands.add_parser(
        "test", help="build and run all tests, or some", usage="%(prog)s [-h] [--device D] [ctest options]"
    )
    test.description = (
        "Builds, and runs ctest. Options that are not listed here go to ctest, like -V. Of some tests (-R stage03) "
        "only the programs are built; but everything, where a chosen test is a script that does not name its programs."
    )
    add_device(test)
    test.set_defaults(call=test_command)

    question_command.add_to(commands)

    listing = commands.add_parser("list", help="show the stages, and how far you are with each")
    listing.set_defaults(call=list_command)

    doctor = commands.add_parser("doctor", help="show what is installed, which device is used and why, and what to do")
    doctor.description = "Changes nothing. Exit status 0: nothing is missing."
    add_device(doctor)
    doctor.set_defaults(call=doctor_command)
    new_stage.add_to(commands)
    return parser, commands.choices


def test_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    found = machine.set_up(root, progress.say)
    choice = machine.choose_device(arguments.device, found.nvcc)
    preset = {"auto": "default", "gpu": "gpu", "simulator": "simulator"}[arguments.device]
    build = Build(found, preset, progress)
    build.configure()
    words = [found.ctest, "--preset", preset, "--parallel", str(processors()), *arguments.passed_on]
    targets = ctest.targets(build, words) if arguments.passed_on else []
    if not (root / "answers").is_dir():
        progress.say("answers/ is missing here, and with it the tests of answers, of variants and of wrong kernels")
    progress.say(f"Building what these tests need: {len(targets)} targets" if targets else "Building everything first")
    try:
        build.build(targets)
    except BuildFailure as failure:
        raise WorkbookError("\n".join(dict.fromkeys(failure.messages.values())), 1) from failure
    records = state.read_records(build.folder)
    progress.say(f"Testing on {state.device_words(records, choice)}")
    state.write_records(build.folder, records, choice, progress.say)
    return 0 if machine.run_visibly(words, root) == 0 else 1


def list_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    listed = stages.read_stages(root)
    records = state.read_records(root / "build" / "default")
    width = max(len(stage.title) for stage in listed)
    states = [state.of_todo(records, root, stage) for stage in listed]
    for stage, words in zip(listed, states):
        print(f"{stage.number:3}  {stage.title:{width}}  {words}")
    print(f"\n{sum(words.startswith(state.SOLVED) for words in states)} of {len(listed)} solved")
    return 0


def doctor_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    found = machine.inspect(root)
    rows = [
        (not tool.problem, tool.name, tool.problem or f"{tool.version} {tool.path}".strip())
        for tool in found.tools.values()
    ]
    if found.nvcc is not None:
        rows.append((True, "CUDA toolkit", f"{found.nvcc.version} {found.nvcc.path} ({found.nvcc.origin})"))
    else:
        rows.append((False, "CUDA toolkit", "no nvcc of CUDA 12 or 13"))
    try:
        choice = machine.choose_device(arguments.device, found.nvcc)
        rows.append((True, "device", f"{choice.device}: {choice.reason}"))
    except WorkbookError as error:
        rows.append((False, "device", str(error)))
    width = max(len(name) for _, name, _ in rows)
    for fine, name, text in rows:
        print(f"{'ok' if fine else '--'}  {name:{width}}  {text}")
    healthy = all(fine for fine, _, _ in rows)
    print("\nNothing is missing." if healthy else f"\n{machine.advice(found)}".rstrip())
    return 0 if healthy else 1


def main(root: Path, words: Sequence[str]) -> int:
    progress = Progress()
    return command.run("workbook", progress, lambda: call(root, words, progress))


def call(root: Path, words: Sequence[str], progress: Progress) -> int:
    parser, commands = make_parser()
    middle = words.index("--") if "--" in words else len(words)
    arguments, others = parser.parse_known_args(words[:middle])
    arguments.passed_on = list(words[middle + 1 :])  # to the programs of stages, or to ctest
    if arguments.command == "test":
        arguments.passed_on = [*others, *arguments.passed_on]
    elif others or (arguments.passed_on and arguments.command != "run"):
        commands[arguments.command].unknown(others or arguments.passed_on)
    return arguments.call(root, arguments, progress)
