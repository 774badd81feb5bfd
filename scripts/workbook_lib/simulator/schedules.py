# SPDX-License-Identifier: MIT
"""Runs a program under several schedules of blocks and warps, and compares the results. A program without a race gives
the same results under all of them. Sums of floats by atomics are an exception, because their rounding depends on the
order."""

from __future__ import annotations

import hashlib
import shlex
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Callable, Dict, List, Optional, Sequence

from ..base import rounding, scratch
from ..base.progress import Progress
from . import findings, run_report, simulator
from .findings import Finding
from .run_report import Report
from .simulator import Schedule
from .user_program import capture, exit_status

LONGEST_LINE = 60  # of a program's output, in a comparison of two lines


@dataclass
class Run:
    """One run of the program."""

    schedule: Optional[Schedule]
    status: int  # negative: the signal that ended it
    report: Optional[Report]
    output: bytes = b""  # standard output, if it was kept
    results: bytes = b""  # copied from the device; empty: none, or too many to keep
    differences: List[str] = field(default_factory=list)  # compared with the first run: exit_status, results_digest, stdout
    rounding: Optional[float] = None  # the largest relative difference of a number, where all are tiny

    @property
    def digest(self) -> str:
        """A digest of the bytes that the program copied from the device; empty: it copied none."""
        digest = (self.report or {}).get("results_digest", "")
        return "" if digest == run_report.NOTHING_COPIED else str(digest)

    def has(self, fact: str) -> bool:
        """Whether a kernel of this run has a fact of the report."""
        return any(kernel.get(fact) for kernel in (self.report or {}).get("kernels", []))

    @property
    def loses_text(self) -> bool:
        return self.has("lost_text")

    @property
    def findings(self) -> List[Finding]:
        return list((self.report or {}).get("findings", []))


def command_line(command: Sequence[str], checks: str, schedule: Schedule, gpu: Optional[str] = None) -> str:
    """The command that repeats the run of this schedule."""
    words = ["scripts/simulate", "--check", checks, *(["--gpu", gpu] if gpu else [])]
    if schedule.order == "random":
        return shlex.join([*words, "--seed", str(schedule.seed), "--", *command])
    settings = [f"{name}={value}" for name, value in schedule.environment().items()]
    return shlex.join([*settings, *words, "--", *command])


def of_number(count: int) -> List[Schedule]:
    """Different schedules: in order, the worst, then random ones."""
    first = [Schedule("plain", 0), Schedule("adversarial", 0)]
    return [*first, *(Schedule("random", seed) for seed in range(1, count - 1))][:count]


@dataclass
class Comparison:
    """The results of several runs of one program."""

    runs: List[Run]
    texts: List[str] = field(default_factory=list)  # the difference of the first run that differs

    @property
    def findings(self) -> List[Finding]:
        """Each mistake once, with the schedule that shows it."""
        merged: Dict[tuple, Finding] = {}
        for run in self.runs:
            for finding in findings.distinct(run.findings):
                replay = {"order": run.schedule.order, "seed": run.schedule.seed}
                kept = merged.setdefault(findings.identity(finding), {**finding, "replay": replay, "runs": 0})
                kept["runs"] += 1
        return list(merged.values())

    @property
    def first_difference(self) -> Optional[Run]:
        return next((run for run in self.runs if run.differences), None)

    @property
    def results_differ(self) -> bool:
        """Whether results differ. Text may differ by a time or an address, if the copied bytes are the same."""
        return any(set(run.differences) - {"stdout"} or (run.differences and not run.digest) for run in self.runs)

    @property
    def adding_kernel(self) -> Optional[str]:
        """A kernel that adds floats with atomics."""
        kernels = (self.runs[0].report or {}).get("kernels", [])
        return next((str(kernel["name"]) for kernel in kernels if kernel.get("adds_floats")), None)

    @property
    def order_sources(self) -> List[str]:
        """What the kernels have whose result may depend on the order without a mistake that a check finds."""
        words = {"has_atomics": "the order of atomics", "reads_clock": "a clock"}
        return [words[name] for name in words if any(run.has(name) for run in self.runs)]

    @property
    def are_races_looked_for(self) -> bool:
        return all("race" in (run.report or {}).get("checks", []) for run in self.runs)

    @property
    def nothing_found(self) -> bool:
        """Whether every run checked for races, and no run has a finding."""
        return not self.findings and self.are_races_looked_for

    @property
    def tiny(self) -> bool:
        """Whether rounding can make all the differences."""
        changed = [run for run in self.runs if run.differences]
        return all(run.rounding is not None and "exit_status" not in run.differences for run in changed)

    @property
    def only_rounding(self) -> bool:
        """Whether the results differ only by the free order of atomics: no race, float sums by atomics, and only tiny
        differences."""
        return self.results_differ and self.tiny and self.nothing_found and self.adding_kernel is not None

    def verdict(self, replay: Callable[[Schedule], str]) -> List[str]:
        return [*self.agreement(replay), *self.where_found(replay)]

    def agreement(self, replay: Callable[[Schedule], str]) -> List[str]:
        number = len(self.runs)
        run = self.first_difference
        copied = ", the bytes copied from the device" if self.runs[0].digest else ""
        if run is None:
            text = f"{number} schedules, one result: exit status{copied} and output are the same"
            return [text + self.order_of_printf()]
        if self.only_rounding:
            most = max(run.rounding or 0.0 for run in self.runs)
            return [
                f"{number} schedules: the results differ by rounding, at most {most:.1e} of a number. This is no race: "
                f"{self.adding_kernel} adds floats with atomics, in another order in each run, "
                f"and no run has a finding (a difference above {rounding.TINY:g} of a number would be called one)"
            ]
        if self.results_differ:
            head = f"{number} schedules, and the results DIFFER"
        else:
            head = (
                f"{number} schedules: exit status{copied} are the same, the printed text is not "
                "(a time or an address, or a result that was not copied)"
            )
        differing = sum(bool(run.differences) for run in self.runs)
        place = f"run {self.runs.index(run) + 1} ({run.schedule.order}, seed {run.schedule.seed})"
        others = f"is the first of {differing} that differ" if differing > 1 else "differs"
        texts = [f"{place} {others} from run 1:", *self.texts, f"see it: {replay(run.schedule)}"]
        looks_like_rounding = self.tiny and self.adding_kernel is not None
        if self.results_differ and looks_like_rounding and not self.nothing_found:
            texts.append(f"{self.adding_kernel} adds floats with atomics, and the differences are as small as rounding's")
        if self.results_differ and looks_like_rounding and not self.are_races_looked_for:
            texts.append("--check race tells that from a race")
        elif self.results_differ and self.nothing_found:
            texts.append(self.unexplained())
        return [head, *(f"   {text}" for text in texts)]

    def order_of_printf(self) -> str:
        """A remark, where only the order of a kernel's text differs, or the part of it that CUDA keeps."""
        if any(run.loses_text for run in self.runs):
            return (
                " but for what printf lost: a kernel printed more than CUDA keeps, and which part is lost depends on the "
                "order (cudaDeviceSetLimit with cudaLimitPrintfFifoSize keeps more)"
            )
        if any(run.output != self.runs[0].output for run in self.runs):
            return ", but for the order of the lines that kernels print, which is free"
        return ""

    def unexplained(self) -> str:
        if self.order_sources:
            return f"no check has found why: does a result depend on {', '.join(self.order_sources)} or an address?"
        return (
            "no check has found why, and no kernel has an atomic or reads a clock: does the host read managed or pinned "
            "memory before it has waited (cudaDeviceSynchronize), do kernels of two streams meet that no event orders "
            "(cudaEventRecord, and behind it cudaStreamWaitEvent), or does a result depend on an address?"
        )

    def where_found(self, replay: Callable[[Schedule], str]) -> List[str]:
        """The schedules, for findings that only some runs have."""
        number = len(self.runs)
        return [
            f"{finding['kind']} at {findings.line_of(finding)}, in {finding['runs']} of {number} runs. "
            f"See it: {replay(Schedule(**finding['replay']))}"
            for finding in self.findings
            if finding["runs"] < number
        ]

    def as_json(self) -> Dict[str, object]:
        return {
            "findings": self.findings,
            "results_differ": self.results_differ,
            "only_rounding": self.only_rounding,
            "runs": [
                {
                    "order": run.schedule.order,
                    "seed": run.schedule.seed,
                    "exit_status": exit_status(run.status),
                    "results_digest": run.digest,
                    "stdout_digest": hashlib.sha256(run.output).hexdigest(),
                    "findings": len(run.findings),
                    "differences": run.differences,
                }
                for run in self.runs
            ],
        }


def differences(first: Run, run: Run) -> Dict[str, str]:
    """The differences of a run from the first one, in words."""
    found = {}
    if run.status != first.status:
        found["exit_status"] = f"exit status {exit_status(run.status)} instead of {exit_status(first.status)}"
    if run.digest != first.digest:
        found["results_digest"] = "other bytes were copied from the device"
    if run.output != first.output and not is_free_order(first, run):
        found["stdout"] = f"other output: {first_other_line(first.output, run.output)}"
    return found


def is_free_order(first: Run, run: Run) -> bool:
    """Whether the outputs differ only in what printf of kernels leaves to chance: the order of lines, and the lines that
    are lost where CUDA keeps no more."""
    if not (first.has("prints") and run.has("prints")):
        return False
    if first.loses_text and run.loses_text:
        return True
    return sorted(first.output.splitlines()) == sorted(run.output.splitlines())


def rounding_of(first: Run, run: Run) -> Optional[float]:
    """The rounding by the copied bytes, where there are some. Printed text may hold anything, its error for example."""
    if first.digest:
        return rounding.of_bytes(first.results, run.results) if first.results else None
    return rounding.of_text(first.output, run.output)


def first_other_line(expected: bytes, got: bytes) -> str:
    old, new = (text.decode("utf-8", "replace").splitlines() for text in (expected, got))
    index = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))
    shown = [repr(lines[index].strip()[:LONGEST_LINE]) if index < len(lines) else "no line" for lines in (new, old)]
    return f"line {index + 1} is {shown[0]} instead of {shown[1]}"


def compare(
    command: Sequence[str],
    checks: str,
    count: int,
    library: Path,
    say: Callable[[str], None],
    progress: Progress,
    time_limit: Optional[int] = None,
) -> Comparison:
    """Compares all runs. Shows the output of the first run. From the others, shows only standard error with a new
    finding."""
    result = Comparison([])
    known = set()
    for number, schedule in enumerate(of_number(count), start=1):
        name = f"run {number} of {count}: {schedule.order}" + (f", seed {schedule.seed}" if schedule.seed else "")
        (say if number == 1 else progress.show)(name)
        with scratch.folder() as folder, tempfile.TemporaryFile() as output:
            environment = simulator.of_any_program(command[0], library.parent, f"{folder}/%p.json", checks, schedule)
            environment["CUDASIM_RESULTS"] = f"{folder}/%p.results"
            with tempfile.TemporaryFile() as messages:
                status = capture(command, environment, output, None if number == 1 else messages, time_limit)
                run = Run(schedule, status, run_report.read_folder(folder), contents(output))
                run.results = results_in(folder)
                printed = contents(messages)
        progress.clear()
        new = {findings.identity(finding) for finding in run.findings} - known
        if number > 1 and new:
            say(f"{name}: new findings")
            sys.stderr.buffer.write(printed)
            sys.stderr.flush()
        known |= new
        if result.runs:
            different = differences(result.runs[0], run)
            run.differences = list(different)
            run.rounding = rounding_of(result.runs[0], run) if different else None
            run.results = b""  # those of the first are enough for the comparison
            result.texts = result.texts or list(different.values())
        result.runs.append(run)
    return result


def results_in(folder: Path) -> bytes:
    """The results of one process. With several processes, the owner of the bytes is not known."""
    files = list(folder.glob("*.results"))
    return files[0].read_bytes() if len(files) == 1 else b""


def contents(file: BinaryIO) -> bytes:
    file.seek(0)
    return file.read()
