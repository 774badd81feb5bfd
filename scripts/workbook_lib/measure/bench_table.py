# SPDX-License-Identifier: MIT
"""The benchmark's table for a terminal: one a family, with the stages side by side at each size."""

from __future__ import annotations

from typing import Dict, List, Optional, Sequence, Tuple

from ..base import sizes, text_table
from ..base.sizes import Size, power
from ..base.text_table import Column, number
from . import bench_data
from .bench_data import Bench, Point, Program

NOTES = """\
time: median, and the two times between which the middle half of the samples lies. GB/s: the bytes that must be read
and written, over time; GFLOP/s, where arithmetic takes longer: the operations. of the copy: its share of what a
device-to-device copy reads and writes. of the peak: its share of what all FP32 lanes can do at the clock that was read
behind each sample. over the peer's: below 1 is faster.
times as fast: as the stage before; a variant: as its stage. error: in units of u * sum|x|."""


def microseconds(time: Optional[float]) -> str:
    """A time with three or four digits, because it is not more precise."""
    if time is None:
        return "-"
    return f"{float(f'{time:.4g}'):,.0f}" if time >= 1000 else f"{time:.{2 if time < 10 else 1}f}"


def ratio(value: Optional[float]) -> str:
    return "-" if value is None else f"{value:.{2 if value < 100 else 1}f}"


def percent(share: Optional[float]) -> str:
    return "-" if share is None else f"{100 * share:.1f} %" if share < 0.1 else f"{100 * share:.0f} %"


def rate(value: Optional[float]) -> str:
    """The rate in GB/s, or GFLOP/s."""
    return "-" if value is None else f"{value:,.{2 if value < 10 else 0}f}"


def half(times: Optional[Dict[str, float]]) -> str:
    return "-" if times is None else f"{microseconds(times['q1'])} to {microseconds(times['q3'])}"


def differ(values: Sequence[object]) -> bool:
    return len(set(values)) > 1


def family_table(bench: Bench, family: Sequence[Program]) -> str:
    rows: List[Tuple[Size, Program, Point]] = [
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
        columns.append(Column(("threads", "a block"), [sizes.text(program.block_size) for _, program, _ in rows]))
    columns += [
        Column(("time", "µs"), [microseconds(point.time_us) for _, _, point in rows]),
        Column(("middle half", "µs"), [half(point.figures["time_us"]) for _, _, point in rows]),
    ]
    if any(point.gb_s for _, _, point in rows):
        columns += [
            Column(("", "GB/s"), [rate(point.gb_s) for _, _, point in rows]),
            Column(("of the", "copy"), [percent(point.of_copy) for _, _, point in rows]),
        ]
    for head in sorted({point.rate_head for _, _, point in rows if point.rate_head}):
        columns.append(Column(("", head), [rate(point.billions_s) for _, _, point in rows]))
    if any(point.gflop_s for _, _, point in rows):
        columns.append(Column(("", "GFLOP/s"), [rate(point.gflop_s) for _, _, point in rows]))
    if any(point.of_peak for _, _, point in rows):
        columns += [
            Column(("of the", "peak"), [percent(point.of_peak) for _, _, point in rows]),
            Column(("clock", "MHz"), [rate(point.clock_mhz) for _, _, point in rows]),
        ]
    for index in range(max(len(program.peers) for program in family)):
        name = "peer" if index == 0 else f"peer {index + 1}"
        columns += [
            Column((name, "µs"), [microseconds(point.peer_us(index)) for _, _, point in rows]),
            Column(("over the", f"{name}'s"), [ratio(point.over_peer(index)) for _, _, point in rows]),
        ]
    columns += [
        Column(("times", "as fast"), [ratio(bench.speedup(program, size)) for size, program, _ in rows]),
        Column(("error", "u*sum|x|"), [number(point.figures["error_u"], ".2g") for _, _, point in rows]),
    ]
    starts = [index for index, row in enumerate(rows) if index and row[0] != rows[index - 1][0]]
    return text_table.lay_out(columns, starts)


def headline(bench: Bench, family: Sequence[Program]) -> str:
    samples = sorted({point.figures["samples"] for program in family for point in program.points.values()})
    blocks = sizes.distinct(program.block_size for program in family)
    taken = f"{samples[0]} samples" if len(samples) == 1 else f"{samples[0]} samples or more"
    lines = [f"{family[0].task} on {bench.device}, inputs not in the cache, {taken} of each time"]
    if len(blocks) == 1:
        lines[0] += f", {sizes.text(blocks[0])} threads a block"
    lines += [f"{name}: {', '.join(peers)}" for name, peers in peer_names(family).items()]
    lines.append(
        f"copy from device to device: {bench_data.copy_gb_s(family):,.0f} GB/s; "
        f"a launch that does nothing: {microseconds(bench_data.empty_launch_us(family))} µs"
    )
    return "\n".join(lines)


def peer_names(family: Sequence[Program]) -> Dict[str, List[str]]:
    """The names "peer", "peer 2", ... with their functions, or the reason why one was not measured."""
    found: Dict[str, List[str]] = {}
    for program in family:
        missing = {
            peer["name"]: f" ({peer['missing']})"
            for row in program.report["sizes"]
            for peer in row.get("peers") or []
            if "missing" in peer
        }
        for index, peer in enumerate(program.peers):
            words = peer + missing.get(peer, "")
            names = found.setdefault("peer" if index == 0 else f"peer {index + 1}", [])
            names += [words] if words not in names else []
    return found


def family_text(bench: Bench, family: Sequence[Program]) -> str:
    """The table of one family, and remarks on missing parts."""
    parts = []
    if any(program.points for program in family):
        parts.append(f"{headline(bench, family)}\n\n{family_table(bench, family)}")
    problems = [f"{program.label}, {problem}" for program in family for problem in program.problems]
    return "\n\n".join([*parts, *(["\n".join(problems)] if problems else [])])


def text(bench: Bench) -> str:
    """All families, one after the other."""
    return "\n\n".join([*(family_text(bench, family) for family in bench.families()), NOTES])
