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
from workbook_lib.estimate import counts, estimate, model  # noqa: E402
from workbook_lib.estimate.estimate import Found, Refusal, Whole  # noqa: E402
from workbook_lib.estimate.parameters import Gpu  # noqa: E402

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
    rows = read("stage_counts_h200").items()
    return [Row(name, estimated(row, gpu), row["time_us"]) for name, row in rows]


def of_ordinary(gpu: Gpu, device: str) -> List[Row]:
    """The kernels that are no stage's: none of them takes part in a fit."""
    counted, times = read("ordinary_counts_h200"), read(f"times_{device}")
    return [
        Row(f"{size} {name}", estimated(counted[f"{size} {name}"], gpu), row["cold_us"][1])
        for size in ("timed", "timed_again")
        for name, row in times[size].items()
    ]


def estimated(row: Mapping[str, object], gpu: Gpu) -> Found:
    if "refused" in row:
        return Refusal(str(row["refused"]))
    return estimate.of_report(counts.unpacked(row), gpu)


def is_unseen(row: Row) -> bool:
    """Half of the kernels, by a hash of the name: nobody looks at their errors before a model is final."""
    return hashlib.sha256(row.name.split()[1].encode()).digest()[0] % 2 == 1


def judged(rows: Sequence[Row]) -> List[Row]:
    return [row for row in rows if isinstance(row.found, Whole) and row.time_us >= estimate.SMALLEST_US]


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
    rows = judged(rows)
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
