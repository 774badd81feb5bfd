# SPDX-License-Identifier: MIT
"""The option --estimate, and what commands show of estimates. Beside an estimate stands the measured time, where there is one
for the same program and size."""

from __future__ import annotations

import argparse
from typing import Dict, List, Mapping, Sequence

from ..judge.verdict import Verdict
from . import estimate, parameters
from .estimate import Found, Refusal
from .parameters import Gpu


def add_estimate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--estimate",
        type=parameters.argument,
        metavar="GPU",
        help=f"estimate the time on this GPU, not measured: {', '.join(parameters.known())}, or a file of calibrate",
    )


def lines(gpu: Gpu, rows: Sequence[Verdict], found: Mapping[str, Found]) -> List[str]:
    """A line for each row that has an estimate, and what the step from the row before buys, where the work is the same."""
    text: List[str] = []
    before = None
    for row in rows:
        if row.stage not in found:
            continue
        name = f"{row.stage}: " if len(found) > 1 else ""
        text.append(name + estimate.words(found[row.stage], gpu))
        is_alike = before is not None and (before.problem, before.size, before.work) == (row.problem, row.size, row.work)
        step = estimate.ratio(found[before.stage], found[row.stage]) if is_alike else None
        if step:
            text.append(f"    beside {before.stage}: {step}")
        before = row
    return text


def as_json(found: Found) -> Dict[str, object]:
    if isinstance(found, Refusal):
        return {"refused": found.reason}
    return {
        "gpu": found.gpu.device,
        "is_measured": False,
        "limit": found.limit,
        "low_us": found.range.low_us if found.has_time else None,
        "high_us": found.range.high_us if found.has_time else None,
    }
