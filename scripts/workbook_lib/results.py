# SPDX-License-Identifier: MIT
"""Runs the stages' programs and makes one table of what they and the simulator report."""

from __future__ import annotations

import json
import math
import os
import subprocess
import tempfile
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Dict, Iterable, List, Optional, Sequence, Tuple

from . import errors, findings, run_report, simulator, text_table
from .findings import Finding
from .progress import Progress
from .stages import Stage
from .text_table import Column, number

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
    sectors_per_element: Optional[float] = None
    launches: Optional[int] = None


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
    problem: str = ""  # what is computed, in one word
    size: Optional[int] = None
    seed: Optional[int] = None
    block_size: Optional[int] = None
    counts: Optional[Counts] = None
    error: str = ""  # why it does not match, as the program says it
    messages: str = ""  # what it wrote to standard error, and what its kernels printed
    findings: List[Finding] = field(default_factory=list)  # of the simulator, one for each mistake

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
        sectors_per_element=total("global_load_sectors") / elements if elements else None,
        launches=len(launches) + report.get("launches_left_out", 0),
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


@dataclass(frozen=True)
class How:
    """How stages are run."""

    kind: str  # answer or todo
    options: Sequence[str]
    device: str  # gpu or simulator
    count_on_gpu: bool = False  # after a run on a GPU, once more on the simulator for the counters
    checks: str = "none"  # of the simulator, as --check gives them; beside a GPU: in a second run

    @property
    def is_checked(self) -> bool:
        return self.checks != "none"


def run_stage(stage: Stage, how: How, build_folder: Path, progress: Progress) -> Result:
    """Runs the program of one stage, on the simulator or a GPU, and where counters or checks are wanted besides a GPU
    once more on the simulator. Then its other tasks, of which the row of the table has the first that is wrong."""
    result, other_tasks = run_task(stage, how, build_folder, progress)
    for task in other_tasks:
        if result.status != errors.MATCHES:
            break
        progress.show(f"{stage.name} {task}")
        other, _ = run_task(stage, replace(how, options=task.split(), count_on_gpu=False), build_folder, progress)
        if other.status != errors.MATCHES:
            result = replace(result, status=other.status, outcome=other.outcome, error=f"with {task}: {other.error}")
            result = replace(result, messages=other.messages, findings=other.findings)
    return result


def run_task(stage: Stage, how: How, build_folder: Path, progress: Progress) -> Tuple[Result, List[str]]:
    """One run, and the options of the other tasks that the stage has."""
    command = [str(build_folder / "bin" / stage.program(how.kind)), *how.options, "--json"]
    with tempfile.TemporaryDirectory(prefix="workbook-") as folder:
        report_file = Path(folder) / "report.json"
        simulated = simulator.environment(build_folder / "simulator", str(report_file), how.checks)
        ending = run_program(
            command, simulated if how.device == "simulator" else dict(os.environ), stage.name, progress
        )
        status, report = ending.status, ending.report
        if (
            how.device == "gpu"
            and (how.count_on_gpu or how.is_checked)
            and status
            in (
                errors.MATCHES,
                errors.DOES_NOT_MATCH,
            )
        ):
            progress.show(f"{stage.name}: counting on the simulator")
            run_program(command, simulated, stage.name, progress if how.is_checked else None)
        counted = run_report.read(report_file)
    if status == errors.MATCHES and report.get("matches") is not True:
        status = errors.CUDA_ERROR  # a program that ended before its check, whatever its exit status
        report = {**report, "error": "the program ended without a report"}
    # Counters of a kernel that was stopped half way would mislead.
    whole = status in (errors.MATCHES, errors.DOES_NOT_MATCH)
    outcome = WORDS.get(status, f"crashed (signal {-status})" if status < 0 else f"exit status {status}")
    result = Result(
        stage.name,
        stage.title,
        status,
        outcome,
        problem=report.get("problem") or "",
        size=report.get("size"),
        seed=report.get("seed"),
        block_size=report.get("block_size"),
        relative_error=report.get("relative_error"),
        time_ms=report.get("time_ms"),
        time_kind=report.get("time_kind") or "",
        device=report.get("device") or "",
        simulated=report.get("simulated"),
        counts=summarize(counted, report.get("size") or 0) if counted and whole else None,
        error=report.get("error") or "",
        messages=ending.messages,
        findings=findings.distinct(counted.get("findings", [])),
    )
    return judge_findings(result, how.is_checked, has_report=bool(counted)), report.get("other_tasks") or []


def judge_findings(result: Result, checked: bool, has_report: bool) -> Result:
    """A result that matches is not enough where checks were asked for."""
    if not checked or result.status != errors.MATCHES:
        return result
    if not has_report:
        error = "the simulator left no report, so that nothing was checked"
        return replace(result, status=errors.CUDA_ERROR, outcome=WORDS[errors.CUDA_ERROR], error=error)
    if not result.findings:
        return result
    found = findings.count_text(result.findings)
    return replace(
        result,
        status=errors.DOES_NOT_MATCH,
        outcome=f"NO: {found}",
        error=f"the result matches, but the kernel is wrong: {found} (see above). It does not count as passed",
    )


def distinct(values: Iterable[Optional[int]]) -> List[int]:
    return sorted({value for value in values if value is not None})


def headline(results: Sequence[Result], what: str) -> str:
    """What the table is about, with those settings that all rows share; the table has columns for the others."""
    sizes, block_sizes = distinct(row.size for row in results), distinct(row.block_size for row in results)
    unit = "floats" if {row.problem for row in results if row.problem} <= {"reduction"} else "elements"
    parts = [f"{sizes[0]:,} {unit}"] if len(sizes) == 1 else []
    parts += [f"{block_sizes[0]} threads a block"] if len(block_sizes) == 1 else []
    return f"{', '.join(parts)}: {what}" if parts else what[0].upper() + what[1:]


def table(results: Sequence[Result], device: str) -> str:
    """All rows, under a head that names the time for what it is."""
    time_head = ("simulation", "time (host)") if device == "simulator" else ("GPU", "time")
    counts = [row.counts or Counts() for row in results]
    columns: List[Column] = [
        Column(("stage",), [row.stage[-2:] for row in results], words=True),
        Column(("idea",), [row.title for row in results], words=True),
        Column(("matches",), [row.outcome for row in results], words=True),
    ]
    if len(distinct(row.size for row in results)) > 1:
        columns.append(Column(("size",), [number(row.size, ",d") for row in results]))
    if len(distinct(row.block_size for row in results)) > 1:
        columns.append(Column(("threads", "a block"), [number(row.block_size, ",d") for row in results]))
    columns += [
        Column(("relative", "error"), [number(row.relative_error, ".1e") for row in results]),
        Column((*time_head, "ms"), [number(row.time_ms, ",.3f") for row in results]),
        *counter_columns(counts),
    ]
    return text_table.lay_out(columns)


def counter_columns(counts: Sequence[Counts]) -> List[Column]:
    return [
        Column(("global load", "sectors", "a request"), [number(row.sectors_per_request, ".2f") for row in counts]),
        Column(("shared", "bank", "conflicts"), [number(row.bank_conflicts, ",d") for row in counts]),
        Column(("barriers", "a block"), [number(row.barriers_per_block, ".4g") for row in counts]),
        Column(
            ("warp", "instructions", "an element"),
            [number(row.warp_instructions_per_element, ".3f") for row in counts],
        ),
    ]


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
