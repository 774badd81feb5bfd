# SPDX-License-Identifier: MIT
"""What a learner hears of a program by default, and what it costs: the one place that knows how a verdict comes
about."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))

from workbook_lib.base import errors  # noqa: E402
from workbook_lib.judge import verdict  # noqa: E402
from workbook_lib.simulator import programs, simulator  # noqa: E402

TIME_LIMIT_S = 20.0  # for all cases in one order; an answer takes about a second
COUNTED = {1: "100003", 2: "332x308", 3: "100x72x52"}  # by the number of extents: several blocks, and rows that vectors fit


@dataclass(frozen=True)
class Verdict:
    """`part` is what told it: "wrong result", "check: race", "order: adversarial", "error: ...". None: all is well."""

    part: Optional[str]
    reason: str = ""

    @property
    def matches(self) -> bool:
        return self.part is None


def default_verdict(program: Path, simulator_folder: Path, needs: int) -> Verdict:
    """`scripts/workbook run N --todo`, on the simulator. `needs`: the compute capability, as 80, or 0."""
    judged = verdict.judge(program, simulator_folder, "simulator", time_limit=TIME_LIMIT_S, at_once=1, needs=needs)
    return Verdict(None if judged.matches else part(judged), judged.error)


def part(judged: verdict.Verdict) -> str:
    """What of a verdict tells that the program is wrong. The most exact comes first; who ends with an error frees
    nothing, so that a leak says nothing then."""
    kinds = [finding["kind"] for finding in judged.findings]
    telling = [kind for kind in kinds if kind != "leak" or judged.status == errors.DOES_NOT_MATCH]
    if telling:
        return f"check: {telling[0]}"
    if judged.status != errors.DOES_NOT_MATCH:
        return f"error: {judged.outcome}"
    schedule = judged.replay.settings.get("CUDASIM_SCHEDULE") if judged.replay else None
    return f"order: {schedule}" if schedule else "wrong result"


def counters(program: Path, simulator_folder: Path) -> Counter:
    """What one computation costs: the simulator's counters over all kernels."""
    environment = simulator.environment(simulator_folder, "")
    extents = len(programs.describe(program, environment)["sizes"])
    ending = programs.Run([str(program), "--size", COUNTED[extents]], environment, TIME_LIMIT_S).to_its_end()
    total: Counter = Counter()
    for kernel in ending.counted.get("kernels", []):
        total.update(kernel["counters"])
        total.update({name: kernel[name] for name in ("launches", "blocks", "threads")})
    return total
