# SPDX-License-Identifier: MIT
"""Builds and runs the benchmark programs of stages in turns, and joins their reports. The programs themselves measure;
the protocol is in common/workbook/bench."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Dict, List, Optional, Sequence, Tuple

from ..base import errors
from ..base.errors import WorkbookError
from ..base.progress import Progress, speaker
from ..base.sizes import Size
from ..build.build import Build
from ..course.stages import Stage
from ..simulator import programs
from ..simulator.locator import Locator
from ..simulator.programs import Run
from . import bench_data
from .bench_data import Program


@dataclass(frozen=True)
class Wanted:
    """A program to measure: answer-stage07, or variant-stage07-kahan."""

    stage: Stage
    kind: str

    @property
    def name(self) -> str:
        return self.stage.program(self.kind)

    @property
    def benchmark(self) -> str:
        """The CMake target of its benchmark."""
        return f"bench_{self.stage.target(self.kind)}"


@dataclass(frozen=True)
class Asked:
    sizes: Optional[Sequence[Size]]  # None: the program's own
    samples: Optional[int]
    rounds: int
    block_sizes: Sequence[Optional[Size]]  # None: the program's own
    own: Sequence[str] = ()  # options of the problem

    def options(self, block_size: Optional[Size]) -> List[str]:
        words = ["--sizes", ",".join(map(str, self.sizes))] if self.sizes is not None else []
        words += ["--samples", str(self.samples)] if self.samples is not None else []
        words += ["--block-size", str(block_size)] if block_size is not None else []
        return [*words, *self.own]


@dataclass
class Outcome:
    device: str
    programs: List[Program]
    status: int  # of the programs without figures; 0 where all have some


def variants(build: Build) -> Dict[str, List[str]]:
    """The names of the variants in this build folder, such as stage07-kahan, by stage."""
    found: Dict[str, List[str]] = {}
    for target in sorted(build.targets()):
        parts = re.fullmatch(r"bench_variant_(stage\d\d)_(\w+)", target)
        if parts:
            found.setdefault(parts[1], []).append(f"{parts[1]}-{parts[2]}")
    return found


def choose(build: Build, chosen: Sequence[Stage], kind: str, with_variants: bool) -> List[Wanted]:
    known = variants(build) if with_variants else {}
    if with_variants and not any(known.get(stage.name) for stage in chosen):
        raise WorkbookError("these stages have no variants")
    wanted = []
    for stage in chosen:
        wanted.append(Wanted(stage, kind))
        wanted += [Wanted(Stage(name, stage.number, ""), "variant") for name in known.get(stage.name, [])]
    return wanted


def measure(build: Build, wanted: Sequence[Wanted], asked: Asked, progress: Progress) -> Outcome:
    """Runs all programs in turn, `rounds` times. Reports a program without figures, and drops it. Ctrl-C ends the
    turns, but keeps the figures."""
    broken = build.try_targets([program.benchmark for program in wanted])
    worst = errors.DOES_NOT_MATCH if broken else errors.MATCHES
    reports: Dict[Tuple[Wanted, Optional[Size]], List[Dict[str, object]]] = {
        (program, block_size): []
        for program in wanted
        if program.benchmark not in broken
        for block_size in asked.block_sizes
    }
    try:
        for number in range(1, asked.rounds + 1):
            for index, turn in enumerate(list(reports), start=1):
                progress.show(f"round {number} of {asked.rounds}, [{index}/{len(reports)}] {turn[0].name}")
                status, report = run_once(build, turn[0], asked.options(turn[1]), progress)
                if report is None:
                    worst = max(worst, errors.DOES_NOT_MATCH if status == errors.UNSOLVED else status)
                    del reports[turn]
                else:
                    reports[turn].append(report)
    except KeyboardInterrupt:
        progress.say("stopped; what was measured until now is kept")
        worst = errors.INTERRUPTED
    progress.clear()
    joined = {turn: bench_data.join_rounds(found) for turn, found in reports.items() if found}
    measured = [each for turn, report in joined.items() for each in bench_data.programs_of(turn[0].name, report)]
    devices = {program.report["device"] for program in measured}
    return Outcome(", ".join(sorted(devices)), measured, worst)


def run_once(build: Build, wanted: Wanted, options: Sequence[str], progress: Progress):
    """Its exit status and report. Where there is no usable report, a line with the reason."""
    command = [str(build.folder / "bin" / f"bench-{wanted.name}"), *options]
    say = speaker(wanted.name, progress)
    ending = Run(command, os.environ).to_its_end(say)
    Locator(say, build.machine.root).tell(ending.findings, ending.messages)
    report = ending.report
    if ending.status in (errors.MATCHES, errors.DOES_NOT_MATCH) and report.get("sizes"):
        if not report.get("simulated"):
            return ending.status, report
        report = {"error": "it ran on the simulator, and a simulated time is no benchmark"}
    status = ending.status if ending.status > 0 else errors.CUDA_ERROR
    words = report.get("error") or programs.outcome(ending.status)
    if words not in ending.messages and not (status == errors.USAGE and ending.messages):
        progress.say(f"{wanted.name}: {words}")
    return status, None
