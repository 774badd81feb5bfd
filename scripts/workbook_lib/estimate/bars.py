# SPDX-License-Identifier: MIT
"""Estimates as bars of text, hatched, beside the measured times of our answers, which are solid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Optional, Sequence

from . import estimate, model
from .estimate import Found, Refusal, Whole
from .parameters import Gpu

WIDTH = 30
LEAST, MOST, MEASURED = "░", "·", "█"


@dataclass(frozen=True)
class Row:
    label: str
    found: Found
    measured_us: Optional[float]  # of our answer at the same size; None: it was not measured


def has_time(found: Found) -> bool:
    return isinstance(found, Whole) and found.has_time


def lines(gpu: Gpu, rows: Sequence[Row]) -> List[str]:
    """Bars of all rows in one scale. A row without a time has the reason, or the limit."""
    times = [row.found.range.high_us for row in rows if has_time(row.found)]
    most = max([*times, *(row.measured_us or 0.0 for row in rows)], default=0.0) or 1.0
    width = max((len(row.label) for row in rows), default=0)
    text = [f"Estimates for {gpu.named}, not measured: {LEAST} to the least of the range, {MOST} to its most; {MEASURED} our answer, measured"]
    for row in rows:
        text.append(f"{row.label:{width}}  {described(row.found, most)}")
        if row.measured_us and has_time(row.found):
            text.append(f"{'':{width}}  {MEASURED * cells(row.measured_us, most)} {estimate.digits(row.measured_us)} µs")
    return text


def cells(time_us: float, most: float) -> int:
    return max(1, round(WIDTH * time_us / most))


def described(found: Found, most: float) -> str:
    if isinstance(found, Refusal):
        return f"no estimate: {found.reason}"
    if not found.gpu.is_measured:
        return f"limited by {model.LIMITS[found.limit]}"
    if found.is_small:
        return "about a launch's time"
    if not found.has_time:
        return f"limited by {model.LIMITS[found.limit]}; too few kernels with this limit were measured for a time"
    low = cells(found.range.low_us, most)
    return f"{LEAST * low}{MOST * (cells(found.range.high_us, most) - low)} {estimate.microseconds(found.range)}"
