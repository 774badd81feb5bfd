# SPDX-License-Identifier: MIT
"""The command scripts/workbook run: its options, and the order of its steps."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Dict, List, Mapping, Sequence

from ..base import colour, errors, version
from ..base.options import BEHIND_DASHES, add_command, add_device, block_size, seed, size
from ..base.progress import Later, Progress
from ..build import inputs
from ..build.build import Build, build_programs
from ..course import stages
from ..course.stages import Stage
from ..estimate import parameters, shown
from ..estimate import run as estimate_run
from ..estimate.estimate import Found, Refusal
from ..judge import expected_counters, progress_file, records, results, stage_run, symptom, verdict
from ..judge.stage_run import How
from ..judge.verdict import Verdict
from ..machine import device, requirements
from ..measure import step_gain
from ..simulator import programs, simulator

NO_FILE = "no file"
ORDER = 20
EXAMPLES = """\
  scripts/workbook run                           all answers
  scripts/workbook run 3 --todo                  your file: all its cases in several orders, with all checks
  scripts/workbook run 3 --todo --why            and how the wrong element came about
  scripts/workbook run 3 --todo --quick          one run at the usual size
  scripts/workbook run 3 --todo --size 33        one run at this size
  scripts/workbook run 3 --todo --gpu t4         on a simulated T4: does it keep within the limits of that GPU?
  scripts/workbook run 3 --estimate h200         and an estimate of its time on a GPU, with its range; not measured
  scripts/workbook run 8 -- --operation min      what follows the two dashes goes to the stage's program"""


def add_to(commands: "argparse._SubParsersAction") -> None:
    run = add_command(
        commands,
        "run",
        EXAMPLES,
        run_command,
        help="build and run stages, and print one table",
        usage="%(prog)s [options] [N|N-M ...] [-- options of its program]",
    )
    run.set_defaults(passes_on=BEHIND_DASHES)
    run.description = (
        "Builds and runs the answers (or, with --todo, your own files) and prints one table. Exit status 0: all match."
    )
    run.add_argument("stages", nargs="*", metavar="N|N-M", help="stages to run, for example 3 or 3-5 (default: all)")
    run.add_argument("--todo", action="store_true", help="run stages/stageNN/todo.cu instead of the answers")
    run.add_argument("--quick", action="store_true", help="with --todo: one run only, at the usual size")
    run.add_argument("--size", type=size, metavar="N", help="one run at this size, as in 1003 or 64x48")
    run.add_argument("--seed", type=seed, metavar="S", help="one run with this seed of the input")
    run.add_argument("--block-size", type=block_size, metavar="B", help="one run with blocks of 128 or 32x8 threads")
    add_device(run)
    simulator.add_gpu(run)
    run.add_argument("--counters", action="store_true", help="on a GPU: run on the simulator too, for the counters")
    run.add_argument(
        "--check",
        type=simulator.checks,
        default="none",
        metavar="LIST",
        help=f"one run in which all, or some of {simulator.KNOWN_CHECKS}, are looked for; a finding is no pass",
    )
    run.add_argument("--why", action="store_true", help="of a wrong element: who wrote it, and what was read for it")
    shown.add_estimate(run)
    run.add_argument("--brief", action="store_true", help="no table")
    run.add_argument("--json", action="store_true", help="print JSON instead of the table")


def program_options(arguments: argparse.Namespace) -> List[str]:
    """The typed options for the program. It chooses the others itself, because stages differ in size and block size."""
    asked = {"--size": arguments.size, "--block-size": arguments.block_size, "--seed": arguments.seed}
    words = [word for name, value in asked.items() if value is not None for word in (name, str(value))]
    return [*words, *arguments.passed_on]


def is_verdict(arguments: argparse.Namespace) -> bool:
    """Whether all cases run. This is not so where the user has chosen a case."""
    return arguments.todo and not (arguments.quick or program_options(arguments) or arguments.check != "none")


def run_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    listed = stages.read_stages(root)
    chosen = stages.select(listed, arguments.stages)
    found = requirements.set_up(root, progress.say)
    os.environ.update(simulator.of_gpu(arguments.gpu))
    choice = requirements.choose_device("simulator" if arguments.gpu else arguments.device, found.nvcc)
    later = Later(progress)  # an error appears once, below the table
    build = Build(found, "default", later)
    kind = "todo" if arguments.todo else "answer"
    settled = {
        stage: Verdict(stage.name, stage.title, errors.DOES_NOT_MATCH, NO_FILE, error=why)
        for stage, why in stages.absent(root, chosen, kind).items()
    }
    if arguments.todo and not arguments.stages:
        unsolved = programs.outcome(errors.UNSOLVED)
        untouched = [stage for stage in chosen if progress_file.is_untouched(root, stage)]
        settled.update({stage: Verdict(stage.name, stage.title, errors.UNSOLVED, unsolved) for stage in untouched})
    begun = [stage for stage in chosen if stage not in settled]
    broken = build_programs(build, [stage.target(kind) for stage in begun]) if begun else {}
    made_of = {stage.name: inputs.last_built(root, build.folder, stage) for stage in chosen} if arguments.todo else {}
    for stage in begun:
        if stage.target(kind) in broken:
            row = Verdict(stage.name, stage.title, errors.DOES_NOT_MATCH, results.NOT_COMPILED)
            settled[stage] = replace(row, symptom=symptom.of_compiler(broken[stage.target(kind)]))
    try:
        rows = run_stages(build, chosen, settled, arguments, choice, later)
        known = records.read(root)
        solved = step_gain.solved(root, listed, rows, known) if is_verdict(arguments) else []
        estimates = estimate_rows(build, chosen, rows, arguments, later) if arguments.estimate else {}
        print_results(rows, choice, progress_file.device_words(known, choice), arguments, solved, estimates)
    finally:
        later.tell()
    course = inputs.of_course(root) if arguments.todo else ""
    with records.change(root, progress.say) as kept:
        if arguments.todo and arguments.gpu is None:
            progress_file.add(kept, root, rows, made_of, course, is_verdict(arguments))
        progress_file.note_device(kept, choice)
    suggest(rows, listed, arguments, progress)
    return results.exit_status(rows)


def run_stages(
    build: Build,
    chosen: Sequence[Stage],
    settled: Mapping[Stage, Verdict],
    arguments: argparse.Namespace,
    choice: device.Choice,
    progress: Progress,
) -> List[Verdict]:
    """The rows of all stages. Stages in `settled` do not run."""
    kind = "todo" if arguments.todo else "answer"
    run = stage_run.judge if is_verdict(arguments) else stage_run.run_once
    options = program_options(arguments)
    judged = chosen if is_verdict(arguments) and arguments.gpu is None else []  # the figures are of an H200
    rules = {stage.name: expected_counters.read_rules(build.machine.root, stage.name) for stage in judged}
    how = How(kind, options, choice.device, arguments.counters, arguments.check, arguments.todo, arguments.device, arguments.gpu)
    how = replace(how, rules=rules, tells_why=arguments.why)
    rows = []
    for index, stage in enumerate(chosen, start=1):
        if stage in settled:
            rows.append(settled[stage])
            continue
        progress.show(f"[{index}/{len(chosen)}] {stage.name}: {stage.title}")
        rows.append(run(stage, how, build.folder, progress))
    progress.clear()
    return rows


def estimate_rows(
    build: Build, chosen: Sequence[Stage], rows: Sequence[Verdict], arguments: argparse.Namespace, progress: Progress
) -> Dict[str, Found]:
    """The estimates by stage: one more run of each program that is right, which is no part of its verdict."""
    gpu, found = parameters.read(arguments.estimate), {}
    for stage, row in zip(chosen, rows):
        if row.status != errors.MATCHES:
            found[stage.name] = Refusal("it is not right yet, and another kernel takes another time")
            continue
        progress.show(f"{stage.name}: counting for an estimate")
        program = build.folder / "bin" / stage.program("todo" if arguments.todo else "answer")
        found[stage.name] = estimate_run.of_program(program, program_options(arguments), build.folder / "simulator", gpu)
    progress.clear()
    return found


def print_results(
    rows: Sequence[Verdict],
    choice: device.Choice,
    device_words: str,
    arguments: argparse.Namespace,
    solved: Sequence[str],
    estimates: Mapping[str, Found],
) -> None:
    if arguments.json:
        summary = {
            "version": version.read(),
            "schema": verdict.SCHEMA,
            "format": verdict.FORMAT,
            "device": choice.device,
            "reason": choice.reason,
            "files": "todo" if arguments.todo else "answer",
            "size": arguments.size,
            "seed": arguments.seed,
            "block_size": arguments.block_size,
            "options": arguments.passed_on,
            "checks": "all" if is_verdict(arguments) else arguments.check,
            "stages": [row.as_json() for row in rows],
        }
        if arguments.estimate:
            summary["estimates"] = {name: shown.as_json(found) for name, found in estimates.items()}
        print(json.dumps(summary, indent=2))
        return
    if all(row.outcome == results.NOT_COMPILED for row in rows):
        return  # there are only the compiler's messages
    tried = results.tried(rows)
    if arguments.brief:
        if tried:
            print(tried)
        return
    if solved:
        print("\n".join([*solved, ""]))
    files = "your files (todo.cu)" if arguments.todo else "the answers"
    print(results.headline(rows, f"{files} on {device_words}") + "\n")
    print(colour.paint(results.table(rows, choice.device), colour.VERDICTS, sys.stdout))
    if tried:
        print(f"\n{tried}")
    if estimates:
        print("\n" + "\n".join(shown.lines(parameters.read(arguments.estimate), rows, estimates)))


def suggest(
    rows: Sequence[Verdict], listed: Sequence[Stage], arguments: argparse.Namespace, progress: Progress
) -> None:
    """The next command, or the next text to read."""
    for row in rows:
        if row.outcome == NO_FILE:
            progress.say(row.why)
        if row.command:
            progress.say(f"See it again: {row.command}")
        if row.status == errors.MATCHES and row.remarks:
            progress.say("\n".join(row.remarks))
        words = expected_counters.lines(row.step) if row.status == errors.MATCHES else []
        if words:
            progress.say("\n".join([f"{row.stage}: {words[0]}" if len(rows) > 1 else words[0], *words[1:]]))
    unchecked = [row for row in rows if row.outcome == programs.outcome(errors.DOES_NOT_MATCH) and not row.is_checked]
    wrong = [row.stage for row in unchecked if not row.command]
    if wrong and arguments.check == "none":
        # A wrong number does not show the cause; the checkers often do.
        words = ["scripts/workbook", "run", *(str(stage.number) for stage in listed if stage.name in wrong)]
        words += ["--todo"] if arguments.todo else []
        progress.say(f"Look for the reason: {shlex.join([*words, *given_options(arguments)])}")
    if arguments.brief or not is_verdict(arguments):
        return
    failed = [row.stage for row in rows if row.symptom.get("ends", "not-solved") not in ("not-compiled", "not-solved")]
    if failed:
        progress.say(f"A hint: scripts/workbook hint {next(stage.number for stage in listed if stage.name == failed[0])}")
    if all(row.is_solved or row.status == errors.UNSOLVED for row in rows):
        progress.say(next_step(rows, listed))


def next_step(rows: Sequence[Verdict], listed: Sequence[Stage]) -> str:
    """The lesson after the last solved stage, or the lesson of the first row."""
    right = [row.stage for row in rows if row.is_solved]
    names = [stage.name for stage in listed]
    index = names.index(right[-1]) + 1 if right else names.index(rows[0].stage)
    if index == len(names):
        return "That was the last stage."
    return f"Next: stage {listed[index].number}, {listed[index].title}: stages/{names[index]}/README.md"


def given_options(arguments: argparse.Namespace) -> List[str]:
    """The options --check all, and the typed options of the program."""
    typed = program_options(arguments)
    own = typed[: len(typed) - len(arguments.passed_on)]
    return ["--check", "all", *own, *(["--", *arguments.passed_on] if arguments.passed_on else [])]
