#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fits the five numbers that no microbenchmark gives, on the launches of the answers at the lesson's size. Prints them, and the
errors of each stage's launches by a fit without that stage.

Usage: fit.py"""

from __future__ import annotations

import math
import sys
from collections import Counter
from dataclasses import replace
from typing import Dict, List, Sequence, Tuple

import figures
from workbook_lib.estimate import counts, model, parameters
from workbook_lib.estimate.parameters import Gpu

BOUNDS = {
    "launch_us": (0.5, 4.0),
    "block_cycles": (50.0, 3000.0),
    "overlap_units": (1.1, 8.0),
    "overlap_memory": (1.1, 8.0),
    "issue_slots": (0.7, 1.6),
}
ROUNDS, STEPS = 3, 9
MOST = 0.7  # of the logarithm: an error above that counts no more, so that no kernel decides alone
SHORTEST_NS = 2000

Launch = Tuple[str, Dict[str, object], float]  # stage, counts, measured microseconds


def launches() -> List[Launch]:
    """One of those that are alike."""
    found: Dict[Tuple[object, ...], Launch] = {}
    counted = figures.read("estimate/lessons_h200")
    for stage, row in figures.read("traffic_h200")["stages"].items():
        mine = counts.unpacked(counted[stage])["launches"] if "launches" in counted.get(stage, {}) else []
        for launch, measured in zip(mine, row["launches"] if len(mine) == len(row["launches"]) else []):
            time_ns = measured["profiled_ns"]
            if time_ns > SHORTEST_NS and launch["timing"]["sample"]:
                key = (stage, launch["kernel"], *launch["grid"], round(time_ns, -3))
                found.setdefault(key, (stage, launch, time_ns / 1e3))
    return list(found.values())


def error(launch: Launch, gpu: Gpu) -> float:
    return abs(math.log(model.of_launch(launch[1], gpu).time_us / launch[2]))


def loss(rows: Sequence[Launch], gpu: Gpu) -> float:
    """Each stage has the same weight."""
    number = Counter(stage for stage, _, _ in rows)
    return sum(min(error(row, gpu), MOST) / number[row[0]] for row in rows) / len(number)


def fitted(rows: Sequence[Launch], gpu: Gpu) -> Gpu:
    """Golden sections along one number after the other."""
    for _ in range(ROUNDS):
        for name, bounds in BOUNDS.items():
            low, high = map(math.log, bounds)
            for _ in range(STEPS):
                places = [low + part * (high - low) for part in (0.382, 0.618)]
                losses = [loss(rows, replace(gpu, values={**gpu.values, name: math.exp(place)})) for place in places]
                low, high = (low, places[1]) if losses[0] <= losses[1] else (places[0], high)
            gpu = replace(gpu, values={**gpu.values, name: math.exp((low + high) / 2)})
    return gpu


def words(errors: Sequence[float]) -> str:
    return ", ".join(f"{math.exp(figures.quantile(errors, part)) - 1:.1%} ({part:.0%})" for part in (0.5, 0.9))


def main() -> int:
    rows, gpu = launches(), parameters.read("h200")
    best = fitted(rows, gpu)
    print(f"{len(rows)} launches:", {name: round(best[name], 3) for name in BOUNDS})
    print(f"errors: {words([error(row, best) for row in rows])}", flush=True)
    held_out: List[float] = []
    for stage in sorted({row[0] for row in rows}):
        other = fitted([row for row in rows if row[0] != stage], gpu)
        held_out += [error(row, other) for row in rows if row[0] == stage]
    print(f"each stage by a fit without it: {words(held_out)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
