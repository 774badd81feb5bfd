#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds the estimates of kernels that took part in no fit to their measured times. It needs neither a GPU nor the simulator:
the counts are those that count.py has recorded. Prints the table, and fails where a figure is worse than its bound, or
where a kernel that misses is not in misses.json with its reason.

Usage: evaluate.py [GPU] [--rows]"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Dict, Iterator, List, Sequence

import figures
from figures import Row
from workbook_lib.estimate import parameters
from workbook_lib.estimate.estimate import Refusal

# The figures that are reached, with a little room; at most these errors, at least these parts. Misses among the ordinary
# kernels have shown what the model lacked. The unseen ones were timed before they were counted, and the model is as it was then.
BOUNDS = {
    "ordinary": {"median": 0.13, "p90": 0.35, "within_2": 0.99, "held": 0.80, "order": 0.97},
    "unseen": {"median": 0.15, "p90": 0.60, "within_2": 0.95, "held": 0.80, "order": 0.97},
}
ERRORS = ("median", "p90")
MOST_TRAFFIC = (0.05, 0.25)  # errors of counted bytes and sectors: median and 90th percentile
PAGE = figures.ROOT / "stages/time.md"
MISSED = 1.0  # relative error: a factor of two
MOST_REFUSED = 0.1  # of the kernels


def worse(found: Dict[str, float], bounds: Dict[str, float], what: str) -> Iterator[str]:
    for name, bound in bounds.items():
        if (found[name] > bound) if name in ERRORS else (found[name] < bound):
            yield f"{what}: {name} is {found[name]:.1%}, and its bound is {bound:.0%}"


def traffic(rows: Sequence[Row], times: Dict[str, Dict[str, Dict[str, float]]], counted: Dict[str, Dict]) -> Dict[str, List[float]]:
    """The errors of the bytes from DRAM, and of the sectors that miss the L1."""
    found: Dict[str, List[float]] = {"bytes read from DRAM": [], "sectors that miss the L1": []}
    for row in rows:
        size, _, name = row.name.partition(" ")
        measured, launch = times[size][name], counted[row.name]["launches"][0]
        moved = launch["timing"].get("sample", {}).get("estimated", {})
        pairs = (
            (measured.get("dram_read_bytes"), moved.get("dram_read_bytes", 0)),
            (measured.get("l1_load_sectors", 0) - measured.get("l1_load_hits", 0), moved.get("l2_read_sectors", 0)),
        )
        for errors, (truth, said) in zip(found.values(), pairs):
            if truth and truth > 1e5 and "sample" in launch["timing"]:
                errors.append(abs(said / truth - 1))
    return found


def page_lines(parts: Sequence[Dict[str, float]]) -> Iterator[str]:
    """The lines of the table in stages/time.md, which says what is measured here."""
    yield "| launches of " + f"{figures.estimate.SMALLEST_US:g} µs and more that have a time | " + " | ".join(str(part["kernels"]) for part in parts) + " |"
    yield "| error, median and nine in ten | " + " | ".join(f"{part['median']:.0%}, {part['p90']:.0%}".replace("%", " %") for part in parts) + " |"
    names = {"within_2": "within a factor of two", "held": "the range holds the measured time", "order": "the order of two kernels is right, where their ranges are apart"}
    for name, words in names.items():
        yield f"| {words} | " + " | ".join(f"{part[name]:.0%}".replace("%", " %") for part in parts) + " |"


def misses(rows: Sequence[Row]) -> Iterator[str]:
    """Kernels that are off by more than a factor of two, and those of the list that are not."""
    known = json.loads((Path(__file__).with_name("misses.json")).read_text(encoding="utf-8"))
    missed = {row.name for row in figures.shown(rows) if row.error > MISSED}
    yield from (f"{name} is off by more than a factor of two, and misses.json has no reason" for name in sorted(missed - set(known)))
    yield from (f"{name} is in misses.json, and does not miss" for name in sorted(set(known) - missed))


def told(row: Row) -> str:
    if isinstance(row.found, Refusal):
        return f"no estimate: {row.found.reason}"
    return f"{row.found.time_us:9.1f} {1 / row.ratio - 1:+6.0%}  {row.found.limit}"


def problems_of_traffic(sets: Dict[str, List[Row]], gpu: str) -> Iterator[str]:
    found: Dict[str, List[float]] = {}
    for what, rows in sets.items():
        times, counted = figures.read(f"times/{what}_{gpu}"), figures.read(f"estimate/{what}_h200")
        for kind, errors in traffic(rows, times, counted).items():
            found.setdefault(kind, []).extend(errors)
    for kind, errors in found.items():
        half, ninety = (figures.quantile(errors, part) for part in (0.5, 0.9))
        print(f"{kind}: error {half:.1%} (median), {ninety:.0%} (90 %) of {len(errors)}")
        if half > MOST_TRAFFIC[0] or ninety > MOST_TRAFFIC[1]:
            yield f"{kind}: the errors are above {MOST_TRAFFIC}"


def main() -> int:
    name = next((word for word in sys.argv[1:] if not word.startswith("-")), "h200")
    gpu = parameters.read(name)
    sets = {what: figures.of_kernels(what, gpu, name) for what in BOUNDS}
    rows = [row for part in sets.values() for row in part]
    if "--rows" in sys.argv:
        print("\n".join(f"{row.name:40} {row.time_us:9.1f} {told(row)}" for row in rows))
    problems = list(misses(rows))
    parts = []
    for what, part in sets.items():
        found = figures.summary(part)
        print(f"{what}: {found['kernels']} kernels of {figures.estimate.SMALLEST_US:g} us and more; error {found['median']:.0%} (median), {found['p90']:.0%} (90 %); "
              f"within a factor of 2 {found['within_2']:.0%}; in the range {found['held']:.0%}; order right {found['order']:.0%} of the {found['speaks']:.0%} of pairs that have one")
        problems += worse(found, BOUNDS[what], what)
        parts.append(found)
    page = PAGE.read_text(encoding="utf-8")
    problems += [f"{PAGE.name} lacks: {line}" for line in page_lines(parts) if line not in page]
    for limit, part in figures.by_limit(rows).items():
        print(f"  {limit:8} {len(part):4} kernels, error {sorted(row.error for row in part)[len(part) // 2]:.0%} (median)")
    problems += problems_of_traffic(sets, name)
    refused = [row.name for row in rows if isinstance(row.found, Refusal)]
    print(f"refused: {', '.join(refused) or 'none'}")
    problems += [f"{len(refused)} of {len(rows)} are refused"] if len(refused) > MOST_REFUSED * len(rows) else []
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
