# SPDX-License-Identifier: MIT
"""Runs the stages' programs and makes one table of what they and the simulator report."""

from __future__ import annotations

import json
import math
import os
import subprocess
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

from . import errors
from .progress import Progress
from .stages import Stage

WORDS = {
    errors.MATCHES: "yes",
    errors.DOES_NOT_MATCH: "NO",
    errors.USAGE: "wrong usage",
    errors.CUDA_ERROR: "error",
    errors.UNSOLVED: "not solved yet",
}
NOT_COMPILED = "does not compile"


@dataclass
class Counts:
    """The simulator's counters of one run, as the table shows them. None: the run had nothing to count."""

    sectors_per_request: Optional[float] = None
    bank_conflicts: Optional[int] = None
    barriers_per_block: Optional[float] = None
    warp_instructions_per_element: Optional[float] = None


@dataclass
class Result:
    """One row of the table."""

    stage: str
    title: str
    status: int
    outcome: str
    relative_error: Optional[float] = None
    time_ms: Optional[float] = None
    time_kind: str = ""
    device: str = ""
    simulated: Optional[bool] = None
    counts: Optional[Counts] = None
    error: str = ""  # why it does not match, as the program says it
    messages: str = ""  # what it wrote to standard error, and what its kernels printed

    def as_json(self) -> Dict[str, object]:
        return asdict(self)


def count_warps(launch: Dict[str, object]) -> int:
    """Warps of a launch: its blocks, times the warps of a block."""
    blocks, threads = math.prod(launch["grid"]), math.prod(launch["block"])
    return blocks * ((threads + 31) // 32)


def summarize(report: Dict[str, object], elements: int) -> Counts:
    """The table's figures from a simulator report (CUDASIM_REPORT): sums over all kernels, but barriers of the largest
    launch."""
    kernels, launches = report.get("kernels") or [], report.get("launches") or []
    if not kernels or not launches:
        return Counts()

    def total(counter: str) -> int:
        return sum(kernel["counters"][counter] for kernel in kernels)

    largest = max(launches, key=count_warps)
    requests = total("global_load_requests")
    return Counts(
        sectors_per_request=total("global_load_sectors") / requests if requests else None,
        bank_conflicts=total("shared_bank_conflicts"),
        # A barrier is counted once for each warp that executes it.
        barriers_per_block=largest["counters"]["barriers"] / count_warps(largest) if count_warps(largest) else None,
        warp_instructions_per_element=total("warp_instructions") / elements if elements else None,
    )


def split_json(output: str) -> Tuple[str, Dict[str, object]]:
    """A program's output as the text that its kernels printed, and the report at its end."""
    start = 0 if output.startswith("{") else output.find("\n{") + 1
    while start >= 0 and output[start : start + 1] == "{":
        try:
            found = json.loads(output[start:])
            return output[:start], found if isinstance(found, dict) else {}
        except ValueError:
            start = output.find("\n{", start) + 1 or -1
    return output, {}


def simulator_environment(build_folder: Path, report: Path) -> Dict[str, str]:
    """What makes a program meet the simulator instead of the CUDA runtime."""
    path = str(build_folder / "simulator")
    if os.environ.get("LD_LIBRARY_PATH"):
        path += os.pathsep + os.environ["LD_LIBRARY_PATH"]
    return {**os.environ, "LD_LIBRARY_PATH": path, "CUDASIM_REPORT": str(report)}


@dataclass
class Ending:
    """How a program ended: its exit status, its report, and what it wrote to standard error."""

    status: int
    report: Dict[str, object]
    messages: str = ""


def run_program(command: Sequence[str], environment: Dict[str, str], name: str, progress: Optional[Progress]) -> Ending:
    """Runs one program. Its findings and its kernels' own output reach the user, under a name, unless there is no
    progress."""
    messages: List[str] = []

    def pass_on(text: str) -> None:
        if progress is not None:
            if not messages:
                progress.say(f"{name}:")
            progress.say("  " + text.replace("\n", "\n  "))
        messages.append(text)

    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
        try:
            process = subprocess.Popen(
                command,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
            )
        except OSError as error:
            return Ending(errors.CUDA_ERROR, {"error": f"{command[0]} could not be started: {error.strerror}"})
        with process:
            for line in process.stderr:
                pass_on(line.rstrip("\n"))
        output.seek(0)
        printed, report = split_json(output.read())
    if printed.strip():
        pass_on(printed.rstrip("\n"))
    return Ending(process.returncode, report, "\n".join(messages))


def read_report(path: Path) -> Dict[str, object]:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def run_stage(
    stage: Stage,
    kind: str,
    build_folder: Path,
    options: Sequence[str],
    device: str,
    count_on_gpu: bool,
    progress: Progress,
) -> Result:
    """Runs the program of one stage, on the simulator or a GPU, and with --counters once more on the simulator."""
    command = [str(build_folder / "bin" / stage.program(kind)), *options, "--json"]
    with tempfile.TemporaryDirectory(prefix="workbook-") as folder:
        report_file = Path(folder) / "report.json"
        simulator = simulator_environment(build_folder, report_file)
        ending = run_program(command, simulator if device == "simulator" else dict(os.environ), stage.name, progress)
        status, report = ending.status, ending.report
        if device == "gpu" and count_on_gpu and status in (errors.MATCHES, errors.DOES_NOT_MATCH):
            progress.show(f"{stage.name}: counting on the simulator")
            run_program(command, simulator, stage.name, None)
        counted = read_report(report_file)
    if status == errors.MATCHES and report.get("matches") is not True:
        status = errors.CUDA_ERROR  # a program that ended before its check, whatever its exit status
        report = {**report, "error": "the program ended without a report"}
    # Counters of a kernel that was stopped half way would mislead.
    whole = status in (errors.MATCHES, errors.DOES_NOT_MATCH)
    outcome = WORDS.get(status, f"crashed (signal {-status})" if status < 0 else f"exit status {status}")
    return Result(
        stage.name,
        stage.title,
        status,
        outcome,
        relative_error=report.get("relative_error"),
        time_ms=report.get("time_ms"),
        time_kind=report.get("time_kind") or "",
        device=report.get("device") or "",
        simulated=report.get("simulated"),
        counts=summarize(counted, report.get("size") or 0) if counted and whole else None,
        error=report.get("error") or "",
        messages=ending.messages,
    )


def number(value: Optional[float], form: str) -> str:
    return "-" if value is None else format(value, form)


def cells(result: Result) -> List[str]:
    counts = result.counts or Counts()
    return [
        result.stage[-2:],
        result.title,
        result.outcome,
        number(result.relative_error, ".1e"),
        number(result.time_ms, ",.3f"),
        number(counts.sectors_per_request, ".2f"),
        number(counts.bank_conflicts, ",d"),
        number(counts.barriers_per_block, ".4g"),
        number(counts.warp_instructions_per_element, ".3f"),
    ]


def table(results: Sequence[Result], device: str) -> str:
    """All rows, under a head that names the time for what it is."""
    time_head = ("simulation", "time (host)") if device == "simulator" else ("GPU", "time")
    head = [
        ("", "", "stage"),
        ("", "", "idea"),
        ("", "", "matches"),
        ("", "relative", "error"),
        (*time_head, "ms"),
        ("global load", "sectors", "a request"),
        ("shared", "bank", "conflicts"),
        ("", "barriers", "a block"),
        ("warp", "instructions", "an element"),
    ]
    rows = [[column[line] for column in head] for line in range(3)] + [cells(result) for result in results]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines = []
    for index, row in enumerate(rows):
        texts = [
            text.ljust(width) if column < 3 else text.rjust(width)  # words to the left, figures to the right
            for column, (text, width) in enumerate(zip(row, widths))
        ]
        lines.append("  ".join(texts).rstrip())
        if index == 2:
            lines.append("-" * (sum(widths) + 2 * (len(widths) - 1)))
    return "\n".join(lines)


def exit_status(results: Sequence[Result]) -> int:
    """0 only if all match; else the gravest: wrong usage, then errors, then a wrong or missing result."""
    statuses = {result.status for result in results}
    if statuses <= {errors.MATCHES}:
        return 0
    if errors.USAGE in statuses:
        return errors.USAGE
    return (
        errors.CUDA_ERROR
        if statuses - {errors.MATCHES, errors.DOES_NOT_MATCH, errors.UNSOLVED}
        else errors.DOES_NOT_MATCH
    )
