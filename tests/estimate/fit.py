#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fits the numbers that no microbenchmark gives, on the stages' times alone. Prints them, and the errors with each stage held
out: its estimates are then those of a fit without it.

Usage: fit.py [NAME=LOW:HIGH ...]"""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from typing import Dict, List, Sequence, Tuple

import figures
from workbook_lib.estimate import counts, estimate, parameters
from workbook_lib.estimate.parameters import Gpu

BOUNDS = {
    "issue_slots": (0.8, 1.6),
    "overlap_units": (1.5, 8.0),
    "overlap_memory": (2.0, 8.0),
    "chain_latencies": (1.0, 8.0),
}
ROUNDS = 3
MOST = math.log(3)  # an error above that counts no more: one kernel does not decide

Counted = Tuple[str, Dict[str, object], float]


def stages() -> List[Counted]:
    rows = figures.read("stage_counts_h200").items()
    found = [(name, counts.unpacked(row), row["time_us"]) for name, row in rows if "refused" not in row]
    gpu = parameters.read("h200")
    return [each for each in found if isinstance(estimate.of_report(each[1], gpu), estimate.Whole)]


def loss(rows: Sequence[Counted], gpu: Gpu) -> float:
    """The mean of the logarithms, each stage with the same weight."""
    by_stage: Dict[str, List[float]] = {}
    for name, report, time_us in rows:
        error = abs(math.log(time_us / estimate.of_report(report, gpu).time_us))
        by_stage.setdefault(name.split()[0], []).append(min(error, MOST))
    return sum(sum(errors) / len(errors) for errors in by_stage.values()) / len(by_stage)


def fitted(rows: Sequence[Counted], gpu: Gpu, bounds: Dict[str, Tuple[float, float]]) -> Gpu:
    """Golden sections along one number after the other."""
    for _ in range(ROUNDS):
        for name, (low, high) in bounds.items():
            low, high = math.log(low), math.log(high)
            for _ in range(10):
                places = [low + part * (high - low) for part in (0.382, 0.618)]
                values = [loss(rows, replace(gpu, values={**gpu.values, name: math.exp(place)})) for place in places]
                low, high = (low, places[1]) if values[0] <= values[1] else (places[0], high)
            gpu = replace(gpu, values={**gpu.values, name: math.exp((low + high) / 2)})
    return gpu


def main() -> int:
    bounds = dict(BOUNDS)
    for word in sys.argv[1:]:
        name, _, ends = word.partition("=")
        bounds[name] = tuple(map(float, ends.split(":")))
    rows, gpu = stages(), parameters.read("h200")
    print(f"{len(rows)} rows; before: {loss(rows, gpu):.4f}")
    best = fitted(rows, gpu, bounds)
    print(f"fitted: {loss(rows, best):.4f}", {name: round(best[name], 3) for name in bounds})
    return 0


if __name__ == "__main__":
    sys.exit(main())
