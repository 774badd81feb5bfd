# SPDX-License-Identifier: MIT
"""Estimates beside measured times: the errors, whether ranges hold, and whether the order of two kernels is right."""

from __future__ import annotations

import hashlib
import json
import math
import statistics
import sys
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Dict, Iterator, List, Mapping, Sequence, Tuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from workbook_lib.base import sizes  # noqa: E402
from workbook_lib.estimate import counts, estimate, model  # noqa: E402
from workbook_lib.estimate.estimate import Found, Refusal, Whole  # noqa: E402
from workbook_lib.estimate.parameters import Gpu  # noqa: E402
from workbook_lib.measure import bench_data  # noqa: E402

MEASURED = ROOT / "scripts/measured"


@dataclass(frozen=True)
class Row:
    name: str
    found: Found
    time_us: float  # measured

    @property
    def ratio(self) -> float:
        """Measured over estimated."""
        return self.time_us / self.found.time_us

    @property
    def error(self) -> float:
        """Relative, and the same for twice and for half of the time: 1."""
        return math.exp(abs(math.log(self.ratio))) - 1

    @property
    def is_held(self) -> bool:
        return self.found.range.low_us <= self.time_us <= self.found.range.high_us


def read(name: str) -> Dict[str, Dict[str, object]]:
    return json.loads((MEASURED / f"{name}.json").read_text(encoding="utf-8"))


def of_stages(gpu: Gpu) -> List[Row]:
    """The answers at the lesson's size, with the time of a whole call in the benchmark. There the buffers change from call to
    call, so that all that a call writes must reach DRAM."""
    bench, rows = bench_data.read(MEASURED / f"bench_{gpu.name}.json"), []
    for name, row in read("estimate/lessons_h200").items():
        program = bench.find(f"answer-{name}")
        size = sizes.parse(row["size"])
        point = program.points.get(size) if program else None
        if point is not None and "launches" in row:
            report = counts.unpacked(row)
            for launch in report["launches"]:
                moved, touched = launch["timing"]["sample"]["estimated"], launch["timing"]["footprint_bytes"]
                moved["dram_write_bytes"] = max(moved["dram_write_bytes"], touched["store"])
            rows.append(Row(f"{name} whole", estimate.of_report(report, gpu), point.time_us))
    return rows


def of_lessons(gpu: Gpu) -> List[Row]:
    """The launches of the answers at the lesson's size, with the time that Nsight Compute gives for each."""
    counted, rows = read("estimate/lessons_h200"), []
    for stage, row in read("traffic_h200")["stages"].items():
        launches = counts.unpacked(counted[stage])["launches"] if "launches" in counted.get(stage, {}) else []
        if len(launches) != len(row["launches"]):
            continue
        for number, (launch, measured) in enumerate(zip(launches, row["launches"])):
            found = estimate.of_report({"launches": [launch]}, gpu)
            rows.append(Row(f"{stage} launch {number}", found, measured["profiled_ns"] / 1e3))
    return rows


def of_kernels(what: str, gpu: Gpu, device: str) -> List[Row]:
    """The kernels that are no stage's, ordinary or unseen: none of them takes part in a fit."""
    counted, times = read(f"estimate/{what}_h200"), read(f"times/{what}_{device}")
    return [
        Row(f"{size} {name}", estimated(counted[f"{size} {name}"], gpu), row["cold_us"][1])
        for size in ("timed", "timed_again")
        for name, row in times[size].items()
    ]


def estimated(row: Mapping[str, object], gpu: Gpu) -> Found:
    if "refused" in row:
        return Refusal(str(row["refused"]))
    return estimate.of_report(counts.unpacked(row), gpu)


def is_for_ranges(row: Row) -> bool:
    """Half of the ordinary kernels, by a hash of the name."""
    return hashlib.sha256(row.name.split()[1].encode()).digest()[0] % 2 == 0


def judged(rows: Sequence[Row]) -> List[Row]:
    return [row for row in rows if isinstance(row.found, Whole) and row.time_us >= estimate.SMALLEST_US]


def shown(rows: Sequence[Row]) -> List[Row]:
    """Those whose estimate has a time."""
    return [row for row in judged(rows) if row.found.gpu.errors[row.found.limit].kernels >= estimate.FEWEST]


def quantile(values: Sequence[float], part: float) -> float:
    ordered = sorted(values)
    place = part * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def pairs(rows: Sequence[Row]) -> Iterator[Tuple[Row, Row]]:
    """The pairs of which the estimate says which is faster: their ranges are apart."""
    for one, other in combinations(rows, 2):
        if not one.found.range.overlaps(other.found.range):
            yield one, other


def summary(rows: Sequence[Row]) -> Dict[str, float]:
    rows = shown(rows)
    errors = [row.error for row in rows]
    spoken = list(pairs(rows))
    right = [(one.time_us < other.time_us) == (one.found.time_us < other.found.time_us) for one, other in spoken]
    return {
        "kernels": len(rows),
        "median": statistics.median(errors),
        "p90": quantile(errors, 0.9),
        "within_2": sum(error <= 1 for error in errors) / len(rows),
        "held": sum(row.is_held for row in rows) / len(rows),
        "order": sum(right) / max(len(right), 1),
        "speaks": len(spoken) / math.comb(len(rows), 2),
    }


def by_limit(rows: Sequence[Row]) -> Dict[str, List[Row]]:
    found: Dict[str, List[Row]] = {}
    for row in judged(rows):
        found.setdefault(row.found.limit, []).append(row)
    return {limit: found[limit] for limit in model.LIMITS if limit in found}
