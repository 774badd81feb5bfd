# SPDX-License-Identifier: MIT
"""The benchmark's table for a terminal: one a family, with the stages side by side at each size."""

from __future__ import annotations

from typing import List, Optional, Sequence, Tuple

from . import bench_data, text_table
from .bench_data import Bench, Point, Program
from .text_table import Column, number

NOTES = """\
time: median, and the two times between which the middle half of the samples lies. GB/s: bytes of input over time.
of the copy: its share of what a device-to-device copy reads and writes. over the peer's: below 1 is faster.
times as fast: as the stage before; a variant: as its stage. error: in units of u * sum|x|."""


def power(size: int) -> str:
    """2^24 for a power of two, else the number itself."""
    return f"2^{size.bit_length() - 1}" if size > 0 and size & (size - 1) == 0 else f"{size:,}"


def microseconds(time: Optional[float]) -> str:
    """Three or four digits: there is no more in a time."""
    if time is None:
        return "-"
    return f"{float(f'{time:.4g}'):,.0f}" if time >= 1000 else f"{time:.{2 if time < 10 else 1}f}"


def ratio(value: Optional[float]) -> str:
    return "-" if value is None else f"{value:.{2 if value < 100 else 1}f}"


def percent(share: Optional[float]) -> str:
    return "-" if share is None else f"{100 * share:.1f} %" if share < 0.1 else f"{100 * share:.0f} %"


def bandwidth(gb_s: Optional[float]) -> str:
    return "-" if gb_s is None else f"{gb_s:,.{2 if gb_s < 10 else 0}f}"


def half(point: Point, whose: str = "time_us") -> str:
    time = point.figures[whose]
    return f"{microseconds(time['q1'])} to {microseconds(time['q3'])}"


def differ(values: Sequence[object]) -> bool:
    return len(set(values)) > 1


def family_table(bench: Bench, family: Sequence[Program]) -> str:
    rows: List[Tuple[int, Program, Point]] = [
        (size, program, program.points[size])
        for size in bench_data.sizes_of(family)
        for program in family
        if size in program.points
    ]
    columns = [
        Column(("size",), [power(size) for size, _, _ in rows]),
        Column(("stage",), [program.label for _, program, _ in rows], words=True),
        Column(("idea",), [program.title for _, program, _ in rows], words=True),
    ]
    if differ([program.block_size for program in family]):
        columns.append(Column(("threads", "a block"), [f"{program.block_size:,}" for _, program, _ in rows]))
    columns += [
        Column(("time", "µs"), [microseconds(point.time_us) for _, _, point in rows]),
        Column(("middle half", "µs"), [half(point) for _, _, point in rows]),
    ]
    if any(point.gb_s for _, _, point in rows):
        columns += [
            Column(("", "GB/s"), [bandwidth(point.gb_s) for _, _, point in rows]),
            Column(("of the", "copy"), [percent(point.of_copy) for _, _, point in rows]),
        ]
    columns += [
        Column(("peer", "µs"), [microseconds(point.peer_us) for _, _, point in rows]),
        Column(("over the", "peer's"), [ratio(point.over_peer) for _, _, point in rows]),
        Column(("times", "as fast"), [ratio(bench.speedup(program, size)) for size, program, _ in rows]),
        Column(("error", "u*sum|x|"), [number(point.figures["error_u"], ".2g") for _, _, point in rows]),
    ]
    starts = [index for index, row in enumerate(rows) if index and row[0] != rows[index - 1][0]]
    return text_table.lay_out(columns, starts)


def headline(bench: Bench, family: Sequence[Program]) -> str:
    samples = sorted({point.figures["samples"] for program in family for point in program.points.values()})
    blocks = sorted({program.block_size for program in family})
    taken = f"{samples[0]} samples" if len(samples) == 1 else f"{samples[0]} samples or more"
    lines = [f"{family[0].problem} on {bench.device}, inputs not in the cache, {taken} of each time"]
    if len(blocks) == 1:
        lines[0] += f", {blocks[0]:,} threads a block"
    peers = list(dict.fromkeys(program.peer for program in family if program.peer))
    lines.append(
        f"peer: {', '.join(peers) or 'none'}; copy from device to device: {bench_data.copy_gb_s(family):,.0f} GB/s; "
        f"a launch that does nothing: {microseconds(bench_data.empty_launch_us(family))} µs"
    )
    return "\n".join(lines)


def family_text(bench: Bench, family: Sequence[Program]) -> str:
    """The table of one family, and what is not in it."""
    parts = []
    if any(program.points for program in family):
        parts.append(f"{headline(bench, family)}\n\n{family_table(bench, family)}")
    problems = [f"{program.label}, {problem}" for program in family for problem in program.problems]
    return "\n\n".join([*parts, *(["\n".join(problems)] if problems else [])])


def text(bench: Bench) -> str:
    """All families, one after the other."""
    return "\n\n".join([*(family_text(bench, family) for family in bench.families()), NOTES])
