# SPDX-License-Identifier: MIT
"""The command scripts/simulate runs any CUDA program on the simulator, as compute-sanitizer and ncu run one on a GPU.
It checks before the start that the program will use the simulator, and sums up the findings afterwards. The program's
own output stays on standard output. All output of this command goes to standard error, except the profile."""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from ..access import line_profile
from ..base import command, errors, files, scratch, version
from ..base.errors import WorkbookError
from ..base.options import Parser, bounded
from ..base.progress import Progress
from ..build.build import Build, build_simulator
from ..estimate import by_line, estimate, parameters, shown
from ..estimate import run as estimate_run
from ..machine import openblas, requirements
from ..simulator import elf, findings, linked_runtime, program_check, programs, run_report, schedules
from ..simulator import simulator, stand_ins, user_program
from ..simulator.run_report import Report
from ..simulator.schedules import Run
from ..simulator.simulator import Schedule
from ..simulator.user_program import exit_status

USAGE = "scripts/simulate [options] [--] ./program [arguments]"
MOST_RUNS = 10_000
MOST_PATIENCE_S = 6  # with a longer limit the simulator's own patience of 4 s is enough

EXAMPLES = """\
Compile the program for PTX (-arch=compute_75) and with -lineinfo, and do not strip it;
with -g too, findings name the host's lines: who allocated, which launch was refused, where it crashed.
The exit status is the program's own, 128 + n where signal n ended it, 2 where it could not be started, 124 where it
took longer than --time-limit.

  scripts/simulate -- ./program                     all checks
  scripts/simulate --seeds 8 -- ./program           8 schedules of blocks and warps: do the results agree?
  scripts/simulate --check none --profile -- ./program   counters beside the lines of its source
  scripts/simulate --estimate h200 -- ./program     an estimate of its kernels' time on a GPU, without checks

WORKBOOK_SIMULATOR names the folder of a simulator that is not in build/*/simulator."""


@dataclass
class Options:
    """The options of the command line."""

    command: List[str]
    checks: str = "all"
    profile: bool = False
    seed: Optional[int] = None
    seeds: Optional[int] = None
    json: Optional[Path] = None
    error_status: Optional[int] = None
    time_limit: Optional[int] = None
    gpu: Optional[str] = None
    estimate: Optional[str] = None

    def replay(self, schedule: Schedule) -> str:
        return schedules.command_line(self.command, self.checks, schedule, self.gpu)


def whole_number(least: int, most: int) -> Callable[[str], int]:
    return lambda text: bounded(text, least, most, f"it takes a whole number from {least} to {most}")


def make_parser() -> Parser:
    parser = Parser(
        prog="scripts/simulate",
        usage=USAGE,
        description="Runs a CUDA program on the simulator, finds its bugs and counts its memory traffic.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    version.add_to(parser)
    parser.add_argument(
        "--check",
        type=simulator.checks,
        metavar="LIST",
        help=f"all (default), none, or some of {simulator.KNOWN_CHECKS}",
    )
    simulator.add_gpu(parser)
    parser.add_argument("--profile", action="store_true", help="print the source with counters in the margin")
    shown.add_estimate(parser)
    order = parser.add_mutually_exclusive_group()
    order.add_argument(
        "--seed", type=whole_number(0, 2**64 - 1), metavar="S", help="run blocks and warps in an order drawn by seed S"
    )
    order.add_argument(
        "--seeds", type=whole_number(2, MOST_RUNS), metavar="N", help="run N times in different orders, compare results"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write findings and counters to FILE, as JSON")
    parser.add_argument(
        "--time-limit", type=whole_number(1, 10**6), metavar="S", help="end a run after S seconds (default: never)"
    )
    parser.add_argument(
        "--error-exitcode",
        type=whole_number(1, 255),
        metavar="N",
        help="exit status where anything was found, or results differ",
    )
    parser.add_argument("program", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)  # where no two dashes are before it
    return parser


def parse(words: Sequence[str]) -> Options:
    parser = make_parser()
    middle = words.index("--") if "--" in words else len(words)
    arguments, others = parser.parse_known_args(words[:middle])
    command = [*arguments.program, *words[middle + 1 :]]
    if others:
        parser.unknown(others[:1])
    if not command or (arguments.program and middle < len(words)):
        parser.error(f"the program comes after the options, or after two dashes: {USAGE}")
    if arguments.estimate and (arguments.check not in (None, "none") or arguments.seed is not None or arguments.seeds or arguments.gpu):
        parser.error("--estimate goes with neither --check, --seed, --seeds nor --gpu: it needs a run without checks")
    if arguments.json is not None and (arguments.json.is_dir() or not os.access(arguments.json.parent, os.W_OK)):
        parser.error(f"--json: cannot write {arguments.json}")
    return Options(
        command,
        arguments.check or ("none" if arguments.estimate else "all"),
        arguments.profile,
        arguments.seed,
        arguments.seeds,
        arguments.json,
        arguments.error_exitcode,
        arguments.time_limit,
        arguments.gpu,
        arguments.estimate,
    )


def find_simulator(root: Path, program: str, progress: Progress) -> Path:
    """The library that the program would load. It is built where there is none yet."""
    if os.environ.get("WORKBOOK_SIMULATOR"):
        libraries = sorted(Path(os.environ["WORKBOOK_SIMULATOR"]).glob("libcudart.so.*"))
    else:
        libraries = simulator.find_libraries(root)
        if not libraries:
            progress.say("simulate: the simulator is not built yet; building it")
            build_simulator(Build(requirements.set_up(root, progress.say), "default", progress))
            progress.clear()
            libraries = simulator.find_libraries(root)
    found = simulator.choose_library(libraries, needed_by(program))
    if found is None:
        raise WorkbookError("no simulator was found; scripts/workbook run 1 builds it")
    return found.resolve()


def needed_by(program: str) -> List[str]:
    """The libraries that it names. A runtime that is linked into it is named as the shared one would be."""
    path = program_check.find_program(program)
    try:
        headers = elf.read(path) if path else elf.Elf()
        linked = linked_runtime.major_version(path, headers) if path else None
    except (elf.ElfError, OSError, ValueError):
        return []
    return [*headers.needed, *([] if linked is None else [f"libcudart.so.{linked}"])]


def libraries_of(program: str, library: Path) -> List[str]:
    """The names of all libraries that it would load, or may open."""
    path = program_check.find_program(program)
    try:
        headers = elf.read(path) if path else elf.Elf()
    except (elf.ElfError, OSError, ValueError):
        return []
    environment = simulator.environment(library.parent, "")
    loaded = program_check.ask_loader(path, headers, environment) if headers.interpreter else []
    opened = stand_ins.of_packages(path, library.name.rpartition(".")[2]) if path else []
    return [*headers.needed, *loaded, *opened]


def provide_stand_ins(root: Path, library: Path, program: str, progress: Progress) -> None:
    """Builds the library for a linked runtime and the stand-ins for NVIDIA's libraries, where the program needs them and
    they are missing or older than the simulator. Provides the BLAS that computes cuBLAS."""
    needed = stand_ins.needed(libraries_of(program, library))
    if not linked_runtime.has_shared(linked_runtime.libraries(program)):
        needed.append((stand_ins.LINKED_RUNTIME, linked_runtime.PRELOADED))
    build_folder = library.parents[1]
    for stand_in, file in needed:
        own = library.with_name(file)
        is_there = own.exists() and own.stat().st_mtime >= library.stat().st_mtime
        if is_there or build_folder.parent != root / "build":
            continue
        build = Build(requirements.set_up(root, progress.say), build_folder.name, progress)
        if stand_in.target in build.targets() and build.try_targets([stand_in.target]):
            raise WorkbookError(f"the simulator's {file} does not compile", 1)
        if own.exists():
            own.touch()
    progress.clear()
    if any(stand_in.prefix == "cublas" and library.with_name(file).exists() for stand_in, file in needed):
        openblas.provide(root, library.parent, progress.say)


def say(text: str) -> None:
    sys.stdout.flush()
    print(f"== {text}", file=sys.stderr, flush=True)


def run_once(options: Options, library: Path) -> Run:
    schedule = None if options.seed is None else Schedule("random", options.seed)
    with scratch.folder() as folder:
        environment = simulator.of_any_program(options.command[0], library.parent, f"{folder}/%p.json", options.checks, schedule)
        environment = {**patience(options), **environment}
        status = user_program.execute(options.command, environment, options.time_limit)
        return Run(schedule, status, run_report.read_folder(folder))


ONLY_LONG = "Or is there only much to do (--check none is quicker)?"


def without_report(run: Run) -> str:
    if run.status < 0:
        return f"{programs.crash(run.status, False)} (the simulator could not write its report)"
    if run.status == errors.TIMED_OUT:
        return "nothing is known of this run: it was stopped before a launch had ended"
    return (
        "the simulator left no report: the program loaded no CUDA runtime, so that nothing was checked, "
        "or it ended by _exit()"
    )


def what_ran(runs: Sequence[Run]) -> str:
    """The kernel that ran when the time was over, as far as its report says so."""
    late = next(run for run in runs if run.status == errors.TIMED_OUT)
    report = late.report or {}
    running = report.get("running")
    if not running:
        launches = len(report.get("launches", [])) + report.get("launches_left_out", 0)
        ended = f"{launches} launches had ended; " if launches else ""
        return f"{ended}does a loop of the host never end, or one of a kernel? {ONLY_LONG}"
    if "block" not in running:
        place = f", called at {findings.line_of(running)}" if running["line"] else ""
        return f"{running['kernel']} was running{place}: the CPU computes it, and it would end"
    return f"{findings.running_kernel(report)}. Does a loop there never end? {ONLY_LONG}"


def patience(options: Options) -> Dict[str, str]:
    """The simulator names a kernel that runs for long, and it must do so before the time limit ends the program."""
    if options.time_limit is None or options.time_limit > MOST_PATIENCE_S:
        return {}
    return {"CUDASIM_PATIENCE": str(max(1, options.time_limit // 2))}


def remarks(report: Report) -> List[str]:
    """Remarks on the report itself."""
    lines = []
    if report.get("format") != run_report.FORMAT:
        lines.append("the simulator is of another version than this command: scripts/workbook run 1 builds it again")
    kernels = line_profile.kernels_without_lines(report)
    if kernels:
        more = f" and {len(kernels) - 1} more" if len(kernels) > 1 else ""
        lines.append(f"the source lines of {kernels[0]}{more} are not known: compile with nvcc -lineinfo, or @cuda.jit(lineinfo=True)")
    called = [f"{call['name']} ({call['calls']:,})" for call in report.get("library_calls", [])]
    if called:
        lines.append(f"computed by the CPU, not counted: {', '.join(called)}")
    if report.get("findings_left_out"):
        lines.append(f"{report['findings_left_out']:,} more findings were left out of the report")
    return lines


def sum_up(found: Sequence[findings.Finding], checked: str) -> str:
    number = len(findings.distinct(found))
    if number == 0:
        return f"no findings (checks: {checked})"
    return f"{number} finding{'s' if number > 1 else ''}: {findings.count_text(found)}"


def write_json(options: Options, report: Optional[Report], status: int, more: Dict[str, object]) -> None:
    nothing = {"format": run_report.FORMAT, **{name: [] for name in run_report.JOINED}}
    whole = {"format": None, "command": options.command, "exit_status": status, **(report or nothing), **more}
    try:
        files.write_atomically(options.json, json.dumps(whole, indent=1) + "\n")
    except OSError as error:
        raise WorkbookError(f"cannot write {options.json}: {error.strerror}") from error


def simulate(root: Path, options: Options, progress: Progress) -> int:
    library = find_simulator(root, options.command[0], progress)
    os.environ.update(simulator.of_gpu(options.gpu))
    gpu = parameters.read(options.estimate) if options.estimate else None
    os.environ.update(estimate_run.settings(root, library.parent, gpu) if gpu else {})
    provide_stand_ins(root, library, options.command[0], progress)
    environment = simulator.environment(library.parent, "")
    problem = program_check.check(options.command[0], library, environment)
    if problem is not None:
        print(f"simulate: {problem.what}\n     fix: {problem.fix}", file=sys.stderr)
        return errors.USAGE

    runs, more, found = run_all(options, library, progress)
    differs = more.get("results_differ") and not more.get("only_rounding")
    report = next((run.report for run in runs if run.report is not None), None)
    status = next((exit_status(run.status) for run in runs if run.status), 0)
    estimated = estimate.of_report(report, gpu) if gpu and report is not None else None
    if options.profile and report is not None:
        sys.stdout.flush()
        lines = by_line.with_shares(report, estimated) if isinstance(estimated, estimate.Whole) else report
        print(line_profile.text(lines, line_profile.terminal_width()), flush=True)
    if options.json is not None:
        write_json(options, report, status, more)
    if any(run.status == errors.TIMED_OUT for run in runs):
        say(f"stopped after {options.time_limit} s (--time-limit): {what_ran(runs)}")
    if report is None:
        say(without_report(runs[0]))
    else:
        for remark in remarks(report):
            say(remark)
        if estimated is not None:
            say(estimate.words(estimated, gpu))
        say(sum_up(found, options.checks))
    # With the option to fail on findings, two more runs must fail: one without a report, in which no check ran, and one
    # with different results.
    failed = bool(found) or report is None or bool(differs)
    return options.error_status if options.error_status is not None and failed else status


def run_all(
    options: Options, library: Path, progress: Progress
) -> Tuple[List[Run], Dict[str, object], List[findings.Finding]]:
    """The runs, their part of the JSON, and all their findings."""
    if options.seeds is None:
        run = run_once(options, library)
        return [run], {}, list((run.report or {}).get("findings", []))
    comparison = schedules.compare(
        options.command, options.checks, options.seeds, library, say, progress, options.time_limit
    )
    for line in comparison.verdict(options.replay):
        say(line)
    return comparison.runs, comparison.as_json(), comparison.findings


def main(root: Path, words: Sequence[str]) -> int:
    progress = Progress()
    return command.run("simulate", progress, lambda: simulate(root, parse(words), progress))
