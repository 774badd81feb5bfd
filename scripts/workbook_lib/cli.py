# SPDX-License-Identifier: MIT
"""The commands of scripts/workbook: what they accept, and the order of their steps."""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path
from typing import Mapping, Sequence, Tuple

from . import command, completion, ctest, list_command, machine, new_stage, state, version
from .build import Build, BuildFailure, processors
from .errors import WorkbookError
from .options import Parser, add_command, add_device
from .progress import Progress

# Commands with a module of their own, in the order of the help.
MODULES = ("watch", "run", "hint", "list", "question", "show", "profile", "compare", "report", "reset", "bench")
TESTS = """\
  scripts/workbook test              all tests
  scripts/workbook test -R stage03   those of a stage; all options of ctest"""


def make_parser(words: Sequence[str] = ()) -> Tuple[Parser, Mapping[str, Parser]]:
    """Of the whole, and by command. Where `words` begin with one of them, the others' modules are not loaded."""
    parser = Parser(
        prog="scripts/workbook",
        description="The CUDA Workbook: build, run and check the stages, with a GPU or without.\n"
        "Without a command it says where you are, and what to type next.",
        epilog="  scripts/workbook watch   tells at every save of your file whether it is right",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    version.add_to(parser)
    parser.set_defaults(call=list_command.here_command)
    commands = parser.add_subparsers(dest="command", metavar="command", parser_class=Parser)

    for name in [name for name in MODULES if name in words[:1]] or MODULES:
        importlib.import_module(f".{name}_command", __package__).add_to(commands)

    usage = "%(prog)s [-h] [--device D] [ctest options]"
    test = add_command(commands, "test", TESTS, test_command, help="build and run all tests, or some", usage=usage)
    test.description = (
        "Builds, and runs ctest. Options that are not listed here go to ctest, like -V. Of some tests (-R stage03) "
        "only the programs are built; but everything, where a chosen test is a script that does not name its programs."
    )
    add_device(test)
    words = "show what is installed, which device is used and why, and what to do"
    doctor = add_command(commands, "doctor", "  scripts/workbook doctor", doctor_command, help=words)
    doctor.description += " Changes nothing. Exit status 0: nothing is missing."
    add_device(doctor)
    completion.add_to(commands, parser)
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
    is_part = targets and "all" not in targets
    progress.say(f"Building what these tests need: {len(targets)} targets" if is_part else "Building everything first")
    try:
        build.build(targets)
    except BuildFailure as failure:
        raise WorkbookError("\n".join(dict.fromkeys(failure.messages.values())), 1) from failure
    records = state.read_records(build.folder)
    progress.say(f"Testing on {state.device_words(records, choice)}")
    state.write_records(build.folder, records, choice, progress.say)
    return 0 if machine.run_visibly(words, root) == 0 else 1


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
    parser, commands = make_parser(words)
    middle = words.index("--") if "--" in words else len(words)
    arguments, others = parser.parse_known_args(words[:middle])
    # Another command, for one that shows several.
    arguments.run_words = lambda others, another: call(root, others, another)
    arguments.passed_on = list(words[middle + 1 :])  # to the programs of stages, or to ctest
    if arguments.command == "test":
        arguments.passed_on = [*others, *arguments.passed_on]
    elif others or (arguments.passed_on and arguments.command not in ("run", "bench")):
        commands.get(arguments.command, parser).unknown(others or arguments.passed_on)
    return arguments.call(root, arguments, progress)
