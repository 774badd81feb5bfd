# SPDX-License-Identifier: MIT
"""The commands of scripts/workbook: what they accept, and the order of their steps."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Dict, List, Sequence

from . import bench_command, ctest, device, errors, machine, results, simulator, stages, state
from .build import Build, BuildFailure, build_simulator, processors
from .errors import WorkbookError
from .options import Parser, add_device, block_size, seed, size
from .progress import Progress
from .results import Result
from .stages import Stage


def make_parser() -> Parser:
    parser = Parser(
        prog="scripts/workbook",
        description="The CUDA Workbook: build, run and check the stages, with a GPU or without.",
    )
    commands = parser.add_subparsers(dest="command", metavar="command", required=True, parser_class=Parser)

    run = commands.add_parser("run", help="build and run stages, and print one table")
    run.description = (
        "Builds and runs the answers (or, with --todo, your own files) and prints one table. Exit status 0: all match."
    )
    run.add_argument("stages", nargs="*", metavar="N|N-M", help="stages to run, for example 3 or 3-5 (default: all)")
    run.add_argument("--todo", action="store_true", help="run stages/stageNN/todo.cu instead of the answers")
    run.add_argument("--size", type=size, metavar="N", help="size of the input (default: each stage's own)")
    run.add_argument("--seed", type=seed, metavar="S", help="seed of the input (default: each stage's own)")
    run.add_argument("--block-size", type=block_size, metavar="B", help="threads a block (default: each stage's own)")
    add_device(run)
    run.add_argument("--counters", action="store_true", help="on a GPU: run on the simulator too, for the counters")
    known = ",".join(simulator.CHECKS)
    run.add_argument(
        "--check",
        type=simulator.checks,
        default="none",
        metavar="LIST",
        help=f"all, or some of {known}: also look for these mistakes, on the simulator; a finding is no pass",
    )
    run.add_argument("--json", action="store_true", help="print JSON instead of the table")
    run.set_defaults(call=run_command)

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

    listing = commands.add_parser("list", help="show the stages, and what you have changed and run so far")
    listing.set_defaults(call=list_command)

    doctor = commands.add_parser("doctor", help="show what is installed, which device is used and why, and what to do")
    doctor.description = "Changes nothing. Exit status 0: nothing is missing."
    add_device(doctor)
    doctor.set_defaults(call=doctor_command)
    return parser


def run_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    chosen = stages.select(stages.read_stages(root), arguments.stages)
    found = machine.set_up(root, progress.say)
    choice = machine.choose_device(arguments.device, found.nvcc)
    build = Build(found, "default", progress)
    kind = "todo" if arguments.todo else "answer"
    targets = [stage.target(kind) for stage in chosen]
    build_simulator(build, targets)
    broken = build.try_targets(targets)
    rows = run_stages(build, chosen, kind, arguments, choice, broken, progress)
    state.record(build.folder, kind, rows)
    print_results(rows, choice, arguments)
    suggest_checks(rows, arguments, progress)
    suggest_sizes(rows, arguments, progress)
    return results.exit_status(rows)


def run_stages(
    build: Build,
    chosen: Sequence[Stage],
    kind: str,
    arguments: argparse.Namespace,
    choice: device.Choice,
    broken: Dict[str, str],
    progress: Progress,
) -> List[Result]:
    # What is not asked for is the program's own choice: stages differ in size and block size.
    asked = {"--size": arguments.size, "--seed": arguments.seed, "--block-size": arguments.block_size}
    options = [word for name, value in asked.items() if value is not None for word in (name, str(value))]
    how = results.How(kind, options, choice.device, arguments.counters, arguments.check)
    rows = []
    for index, stage in enumerate(chosen, start=1):
        if stage.target(kind) in broken:
            rows.append(Result(stage.name, stage.title, errors.DOES_NOT_MATCH, results.NOT_COMPILED))
            continue
        progress.show(f"[{index}/{len(chosen)}] {stage.name}: {stage.title}")
        row = results.run_stage(stage, how, build.folder, progress)
        if row.error and row.error not in row.messages:
            progress.say(f"{stage.name}:\n  {row.error}")
        rows.append(row)
    progress.clear()
    return rows


def print_results(rows: Sequence[Result], choice: device.Choice, arguments: argparse.Namespace) -> None:
    if arguments.json:
        summary = {
            "device": choice.device,
            "reason": choice.reason,
            "files": "todo" if arguments.todo else "answer",
            "size": arguments.size,
            "seed": arguments.seed,
            "block_size": arguments.block_size,
            "checks": arguments.check,
            "stages": [row.as_json() for row in rows],
        }
        print(json.dumps(summary, indent=2))
        return
    place = "the simulator" if choice.device == "simulator" else "the GPU"
    files = "your files (todo.cu)" if arguments.todo else "the answers"
    print(results.headline(rows, f"{files} on {place} ({choice.reason})") + "\n")
    print(results.table(rows, choice.device))


def suggest_checks(rows: Sequence[Result], arguments: argparse.Namespace, progress: Progress) -> None:
    """A wrong number does not tell why; the checkers often do."""
    wrong = [row.stage for row in rows if row.outcome == results.WORDS[errors.DOES_NOT_MATCH]]
    if wrong and arguments.check == "none":
        numbers = " ".join(str(int(name[len("stage") :])) for name in wrong)
        todo = " --todo" if arguments.todo else ""
        progress.say(f"Look for the reason: scripts/workbook run {numbers}{todo} --check all")


def suggest_sizes(rows: Sequence[Result], arguments: argparse.Namespace, progress: Progress) -> None:
    """The default size is a multiple of everything, and hides a forgotten tail, or a barrier that not all reach."""
    if not arguments.todo or arguments.size is not None or any(row.status != errors.MATCHES for row in rows):
        return
    command = " ".join(["scripts/workbook run", *arguments.stages, "--todo --size 1003"])
    progress.say(f"Try it with other sizes: {command}")


def test_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    found = machine.set_up(root, progress.say)
    choice = machine.choose_device(arguments.device, found.nvcc)
    preset = {"auto": "default", "gpu": "gpu", "simulator": "simulator"}[arguments.device]
    build = Build(found, preset, progress)
    build.configure()
    command = [found.ctest, "--preset", preset, "--parallel", str(processors()), *arguments.ctest]
    targets = ctest.targets(build, command) if arguments.ctest else []
    progress.say(f"Building what these tests need: {len(targets)} targets" if targets else "Building everything first")
    try:
        build.build(targets)
    except BuildFailure as failure:
        raise WorkbookError("\n".join(dict.fromkeys(failure.messages.values())), 1) from failure
    progress.say(f"Testing on the {choice.device} ({choice.reason})")
    return 0 if machine.run_visibly(command, root) == 0 else 1


def list_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    listed = stages.read_stages(root)
    recorded = state.read_records(root / "build" / "default")
    width = max(len(stage.title) for stage in listed)
    for stage in listed:
        last = state.last_result(recorded, root, stage)
        print(f"{stage.number:3}  {stage.title:{width}}  {state.todo_state(root, stage):12}  {last}".rstrip())
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
    parser = make_parser()
    arguments, others = parser.parse_known_args(words)
    if others and arguments.command != "test":
        parser.error(f"unknown argument: {' '.join(others)}")
    arguments.ctest = [word for word in others if word != "--"]
    progress = Progress()
    try:
        return arguments.call(root, arguments, progress)
    except WorkbookError as error:
        progress.say(f"workbook: {error}")
        return error.status
    except KeyboardInterrupt:
        progress.say("workbook: stopped")
        return errors.INTERRUPTED
