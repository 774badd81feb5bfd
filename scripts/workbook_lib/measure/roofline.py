# SPDX-License-Identifier: MIT
"""The roofline of a stage (Williams, Waterman and Patterson, 2009), drawn with letters. It shows speed over intensity,
the operations for each byte that a stage loads. Both are from scripts/measured."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Dict, List, Optional

from ..base import sizes
from ..base.markdown import table
from ..base.sizes import Size
from .bench_data import Bench

SECTOR_BYTES = 32
OCTAVES = (-2, 7)  # of the intensity: 1/4 to 128 operations a byte
COLUMNS = 7  # columns an octave
SPEEDS = (10, 17)  # octaves of GFLOP/s: 1,024 to 131,072
ROWS = 2  # rows an octave


@dataclass(frozen=True)
class Stand:
    """The place of a stage in the roofline."""

    stage: int
    size: Size
    intensity: float  # operations for each byte that its warps request in global memory
    gflop_s: float
    copy_gb_s: float
    peak_gflop_s: float

    def memory_roof(self) -> float:
        return self.intensity * self.copy_gb_s


def stand(bench: Bench, counters: Dict[str, Dict], stage: str, size: Optional[Size] = None) -> Optional[Stand]:
    """The place of a stage. `size`: that of the time; the default is the lesson's, at which sectors are counted. None:
    not measured."""
    program, counted = bench.find(f"answer-{stage}"), counters.get(stage)
    if program is None or counted is None or not program.report.get("fp32_lanes"):
        return None
    point = program.points.get(size or counted["size"])
    if point is None or point.clock_mhz is None or not program.report.get("copy_gb_s"):
        return None
    sectors = sum(launch["global_load_sectors"] for launch in counted["simulator"])
    return Stand(
        program.stage,
        point.size,
        counted["work"]["operations"] / (sectors * SECTOR_BYTES),
        point.figures["work"]["operations"] / point.time_us / 1e3,
        program.report["copy_gb_s"],
        2 * program.report["fp32_lanes"] * point.clock_mhz / 1e3,
    )


def drawing(own: Stand) -> str:
    """The drawing with both axes by octaves, the lower of the two roofs, and the stage's number."""
    width, height = (OCTAVES[1] - OCTAVES[0]) * COLUMNS + 1, (SPEEDS[1] - SPEEDS[0]) * ROWS + 1
    lines = [[" "] * width for _ in range(height)]

    def row(gflop_s: float) -> int:
        return height - 1 - min(height - 1, max(0, round((math.log2(gflop_s) - SPEEDS[0]) * ROWS)))

    for column in range(width):
        roof = 2 ** (OCTAVES[0] + column / COLUMNS) * own.copy_gb_s
        lines[row(min(roof, own.peak_gflop_s))][column] = "/" if roof < own.peak_gflop_s else "-"
    column = min(width - 3, max(1, round((math.log2(own.intensity) - OCTAVES[0]) * COLUMNS)))
    lines[row(own.gflop_s)][column - 1 : column + 3] = f"[{own.stage}]"
    scale = [f"{2 ** (SPEEDS[1] - index // ROWS):,}" if index % ROWS == 0 else "" for index in range(height)]
    drawn = [f"{label:>8} |{''.join(line).rstrip()}" for label, line in zip(scale, lines)]
    ticks = "".join(f"{2.0**octave:<{COLUMNS}g}" for octave in range(*OCTAVES)) + f"{2 ** OCTAVES[1]}"
    head = " GFLOP/s"
    return "\n".join(["```", head, *drawn, f"{'':>8} +{'-' * width}", f"{'':>10}{ticks}", f"{'':>10}operations a byte", "```"])


def text(bench: Bench, counters: Dict[str, Dict], stage: str, size: Optional[Size] = None) -> Optional[str]:
    own = stand(bench, counters, stage, size)
    if own is None:
        return None
    roof = min(own.memory_roof(), own.peak_gflop_s)
    rows: List[List[str]] = [
        ["operations a byte loaded", "roof of the memory", "roof of the arithmetic", f"measured at {sizes.text(own.size)}", "of the lower roof"],
        [f"{own.intensity:.3g}", *(f"{value:,.0f} GFLOP/s" for value in (own.memory_roof(), own.peak_gflop_s, own.gflop_s)), f"{100 * own.gflop_s / roof:.0f} %"],
    ]  # fmt: skip
    return f"{drawing(own)}\n\n{table(rows)}"
