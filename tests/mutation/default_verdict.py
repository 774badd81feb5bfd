# SPDX-License-Identifier: MIT
"""What a learner hears of a program by default, and what it costs: the one place that knows how a verdict comes
about."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, Iterator, List, Optional, Sequence, Tuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from workbook_lib import findings, simulator  # noqa: E402
from workbook_lib.simulator import Schedule  # noqa: E402

PLAIN = Schedule("plain", 0)
SIZES = (4097, 257, 33, 1003, 31, 1, 0)  # those that tell most come first
BLOCK_SIZES = (32, 128, 1024)
OTHER_ORDERS = (Schedule("adversarial", 0), Schedule("random", 1))
STEP_BUDGET = "2000000"
RUN_SECONDS = 20
COUNTED = ["--size", "100003", "--block-size", "128"]  # several blocks, and no multiple of anything


@dataclass(frozen=True)
class Verdict:
    """`part` is what told it: "wrong result", "check: race", "order: adversarial", "error: ...". None: all is well."""

    part: Optional[str]
    reason: str = ""

    @property
    def matches(self) -> bool:
        return self.part is None


@dataclass
class Run:
    """One run of a program on the simulator."""

    status: Optional[int]  # None: stopped, as it did not end
    output: Dict[str, object]  # what the program said, as JSON
    report: Dict[str, object]  # of the simulator

    @property
    def part(self) -> Optional[str]:
        """What of this run tells that the program is wrong. The most exact comes first; who ends with an error frees
        nothing, so that a leak says nothing then."""
        kinds = [finding["kind"] for finding in self.report.get("findings", [])]
        telling = [kind for kind in kinds if kind != "leak" or self.status == 0]
        if telling:
            return f"check: {telling[0]}"
        if self.status is None:
            return "error: does not end"
        return {0: None, 1: "wrong result", 3: "error: CUDA"}.get(self.status, f"error: exit status {self.status}")

    @property
    def reason(self) -> str:
        found = findings.count_text(self.report.get("findings", []))
        return found or str(self.output.get("error", ""))


def default_verdict(program: Path, simulator_folder: Path) -> Verdict:
    """Stops at the first case that is wrong."""
    for options, schedule in cases(other_tasks(program, simulator_folder)):
        ran = run(program, simulator_folder, options, schedule)
        if ran.part is not None:
            part = ran.part if schedule == PLAIN or not ran.part.startswith("wrong") else f"order: {schedule.order}"
            return Verdict(part, f"{' '.join(options)}, {schedule.order}: {ran.reason}")
    return Verdict(None)


def other_tasks(program: Path, simulator_folder: Path) -> List[str]:
    """What else the program says it can be asked for, where nobody names a task."""
    return list(run(program, simulator_folder, ["--size", "1"], PLAIN).output.get("other_tasks", []))


def cases(tasks: Sequence[str]) -> Iterator[Tuple[List[str], Schedule]]:
    """The options of each run, and its order."""
    for size, block_size in itertools.product(SIZES, BLOCK_SIZES):
        yield ["--size", str(size), "--block-size", str(block_size)], PLAIN
    for task in tasks:
        yield task.split(), PLAIN
    for schedule, size, block_size in itertools.product(OTHER_ORDERS, (4097, 257), BLOCK_SIZES):
        yield ["--size", str(size), "--block-size", str(block_size)], schedule


def counters(program: Path, simulator_folder: Path) -> Counter:
    """What one computation costs: the simulator's counters over all kernels."""
    ran = run(program, simulator_folder, COUNTED, None, checked="none")
    total: Counter = Counter()
    for kernel in ran.report.get("kernels", []):
        total.update(kernel["counters"])
        total.update({name: kernel[name] for name in ("launches", "blocks", "threads")})
    return total


def run(
    program: Path, simulator_folder: Path, options: Sequence[str], schedule: Optional[Schedule], checked: str = "all"
) -> Run:
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        report = Path(folder) / "report.json"
        environment = simulator.environment(simulator_folder, str(report), checked, schedule)
        environment["CUDASIM_STEP_BUDGET"] = STEP_BUDGET
        try:
            ended = subprocess.run(
                [str(program), *options, "--json"],
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=RUN_SECONDS,
            )
            status, text = ended.returncode, ended.stdout
        except subprocess.TimeoutExpired:
            status, text = None, b""
        return Run(status, parse(text), parse(report.read_bytes()) if report.exists() else {})


def parse(text: bytes) -> Dict[str, object]:
    """Empty where it is no JSON: the program was stopped, or is not a stage's at all."""
    try:
        return json.loads(text)
    except ValueError:
        return {}
