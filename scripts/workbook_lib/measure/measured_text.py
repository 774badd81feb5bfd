# SPDX-License-Identifier: MIT
"""The benchmark's figures as Markdown, for stages/FIGURES.md and the lessons. A function returns None where its figures
were not measured."""

from __future__ import annotations

import math
import re
import statistics
import textwrap
from typing import Dict, List, Mapping, Optional, Sequence

from ..base import sizes
from ..base.markdown import stage_link, stage_list, table
from ..base.sizes import Size, power
from ..base.text_table import number
from ..course.stages import Stage
from . import bench_data
from .bench_data import Bench, Point, Program
from .bench_table import half, microseconds, percent, rate, ratio

LARGE = 16  # a large input has so many times the elements of the lesson's, a small one a 16th of them
WIDTH = 118
ERROR_HEAD = "error, u·Σ\\|x\\|"
COMMAND = "`scripts/workbook bench`"


def commands(bench: Bench) -> str:
    """The commands that a file of figures was joined from, each as code."""
    return re.sub(r",? (and )?(?=scripts/workbook bench)", lambda found: f"`, {found[1] or ''}`", f"`{bench.command}`")


def answer(bench: Bench, stage: str) -> Optional[Program]:
    return bench.find(f"answer-{stage}")


def amount(point: Point) -> str:
    """The text of a size: "16,777,216 floats"."""
    return f"{sizes.text(point.size)} {point.figures['work']['unit']}"


def enlarged(size: Size) -> int:
    """The elements of a large input: LARGE times as many. A product has three extents. Each of them grows by the same
    factor as those of a matrix."""
    return math.isqrt(LARGE) ** max(2, len(sizes.extents(size))) * sizes.elements(size)


def near(program: Program, elements: float) -> Optional[Size]:
    """The largest measured size with no more elements than these."""
    fitting = [size for size in program.points if sizes.elements(size) <= elements]
    return max(fitting, key=sizes.order) if fitting else None


def libraries(programs: Sequence[Program]) -> List[str]:
    """The library's functions for comparison with each stage: "cub::DeviceReduce::Sum, CUB 3.0.1 (stages 01 to 07)"."""
    by_library: Dict[str, List[int]] = {}
    for program in programs:
        if program.first_peer:
            by_library.setdefault(program.first_peer, []).append(program.stage)
    return [f"{library} ({stage_list(numbers)})" for library, numbers in by_library.items()]


def ladder(bench: Bench, stages: Sequence[Stage], lesson: Mapping[str, Size]) -> str:
    """One row a stage, at the size of its lesson and a large one. The first of them shows the step gain. `lesson`: that
    size, by stage."""
    found = [answer(bench, stage.name) for stage in stages if stage.name in lesson]
    programs = [program for program in found if program is not None]
    small = [lesson[f"stage{program.stage:02}"] for program in programs]
    large = [near(program, enlarged(size)) for program, size in zip(programs, small)]
    heads = [time_head(small, "the lesson's size"), time_head(large, "a large size")]
    cells = ["GB/s", "of a copy", "over the library's time"]
    rows = [["stage", heads[0], *cells, "against the stage before", heads[1], *cells]]
    for program, *chosen in zip(programs, small, large):
        bought = bench.speedup(program, chosen[0])
        step = "" if bought is None else f"{ratio(bought)} × as fast"
        first, second = (point_cells(program, size, ":" in head) for size, head in zip(chosen, heads))
        rows.append([stage_link(program.stage), *first, step, *second])
    text = (
        f"{bench.device}, {COMMAND}: all launches of one computation, inputs not in the cache, medians. GB/s: the bytes "
        "that must be read and written, over time. Where arithmetic takes longer, it is GFLOP/s. A copy in the "
        f"device's memory reads and writes {bench_data.copy_gb_s(programs):,.0f} GB/s. "
        f"A launch that does nothing: {microseconds(bench_data.empty_launch_us(programs))} µs."
    )
    if libraries(programs):
        text += "\n\nOver the library's time: below 1 is faster than the library in the same run:\n\n"
        text += "\n".join(f"- {library}" for library in libraries(programs))
    return f"{table(rows)}\n\n{text}"


def time_head(chosen: Sequence[Optional[Size]], words: str) -> str:
    """The head "2^24: time" where all rows share the size. Otherwise each cell gives its own."""
    shared = set(chosen)
    return f"{power(chosen[0])}: time" if len(shared) == 1 and None not in shared else f"time at {words}"


def point_cells(program: Program, size: Optional[Size], is_size_said: bool) -> List[str]:
    point = program.points.get(size)
    if point is None:
        return [""] * 4
    time = f"{microseconds(point.time_us)} µs"
    return [
        time if is_size_said else f"{power(point.size)}: {time}",
        rate_text(point),
        percent(point.of_copy),
        ratio(point.over_peer()),
    ]


def rate_text(point: Point) -> str:
    """The rate in a column of GB/s."""
    return f"{rate(point.gflop_s)} GFLOP/s" if point.gflop_s else rate(point.gb_s)


def step(bench: Bench, stage: str, lesson: Size, shown: Sequence[str] = ()) -> Optional[str]:
    """The time of a stage at its lesson's size, and the step gain, in sentences. The argument `shown` has the options
    of the problem to name."""
    program = answer(bench, stage)
    point = program.points.get(lesson) if program else None
    if program is None or point is None:
        return None
    options = "".join(f"`--{name} {program.report[name]}`, " for name in shown)
    text = f"{bench.device}, {amount(point)}, {options}{sizes.text(program.block_size)} threads a block, "
    text += "all launches of one computation" + (", the input not in the cache: " if point.bytes else ": ")
    text += (
        f"**{microseconds(point.time_us)} µs** (median of {point.figures['samples']} samples, the middle half of them "
    )
    text += f"{half(point.figures['time_us'])})."
    if point.gb_s:
        text += f" That is {rate(point.gb_s)} GB/s, {percent(point.of_copy)} of what a copy in the device's memory moves."
    if point.gflop_s:
        text += f" That is {rate(point.gflop_s)} GFLOP/s."
    text += against_before(bench, program, point)
    if point.over_peer() is not None:
        library = function(program.first_peer).replace(" as ", "` as `")
        text += f" `{library}` in the same run: {microseconds(point.peer_us())} µs; this stage takes "
        text += f"**{ratio(point.over_peer())}** of that."
    return "\n".join(textwrap.wrap(f"{text} ({COMMAND})", WIDTH, break_long_words=False, break_on_hyphens=False))


def function(peer: str) -> str:
    """The function without the library's version."""
    return peer.split(",")[0]


def against_before(bench: Bench, program: Program, point: Point) -> str:
    before, factor = bench.before(program), bench.speedup(program, point.size)
    if before is None or factor is None:
        return ""
    bought = "so this step bought" if factor >= 1 else "so this step, taken alone, made it slower:"
    time = microseconds(before.points[point.size].time_us)
    return f" Stage {before.label} in the same run: {time} µs, {bought} a factor of **{ratio(factor)}**."


def all_sizes(bench: Bench, stage: str) -> Optional[str]:
    """A stage, the library and other peers at every size: a table for each case."""
    programs = [program for program in bench.programs if program.name == f"answer-{stage}"]
    if not programs:
        return None
    tables = [f"`{program.case}`\n\n{sizes_table(program)}" if program.case else sizes_table(program) for program in programs]
    what = (
        f"{', '.join([bench.device, *programs[0].peers])}, in one run of {COMMAND}. Inputs are not in the cache. Shown are "
        "medians, and between which times the middle half of the samples lies. A launch that does nothing took "
        f"{microseconds(bench_data.empty_launch_us(programs[:1]))} µs."
    )
    return "\n\n".join([*tables, what])


def sizes_table(program: Program) -> str:
    first = "a copy" if program.peers and program.peers[0].startswith("cudaMemcpy") else "the library"
    names = [first, *map(function, program.peers[1:])][: len(program.peers)]
    peer_heads = [head for name in names for head in (f"{name}, µs", f"over {name}'s time")]
    rate_heads = sorted({point.rate_head for point in program.points.values() if point.rate_head})
    rows = [["size", "time, µs", *rate_heads, "GB/s", "of a copy", *peer_heads]]
    rows[0] += [] if rate_heads else [ERROR_HEAD]  # keys and places are right or wrong
    for size in sizes.distinct(program.points):
        point = program.points[size]
        row = [power(size), f"{microseconds(point.time_us)} ({half(point.figures['time_us'])})"]
        row += [rate(point.billions_s)] if rate_heads else []
        row += [rate_text(point), percent(point.of_copy)]
        for index in range(len(names)):
            row.append(f"{microseconds(point.peer_us(index))} ({half(point.peer_times(index))})")
            row.append(number(point.over_peer(index), ".2f"))
        rows.append(row if rate_heads else [*row, number(point.figures["error_u"], ".2g")])
    return table(rows)


def variants(bench: Bench, stage: str, lesson: Size) -> Optional[str]:
    """The variants of a stage beside the stage itself, at a small size, the lesson's, and a large one."""
    own = answer(bench, stage)
    found = [program for program in bench.programs if program.variant and own and program.stage == own.stage]
    if own is None or not found:
        return None
    elements = sizes.elements(lesson)
    chosen = sizes.distinct(near(own, count) for count in (elements / LARGE, elements, LARGE * elements))
    rows = [["variant"]]
    for size in chosen:
        rows[0] += [f"{power(size)}: time", f"over stage {own.label}'s"]
    rows[0].append(ERROR_HEAD)
    for program in [own, *found]:
        row = [f"`{program.variant}`" if program.variant else f"stage {own.label} itself"]
        points = [program.points.get(size) for size in chosen]
        if not any(points):
            continue  # another input of the same variant, measured at other sizes
        for point in points:
            over = point.time_us / own.points[point.size].time_us if point else None
            row += [f"{microseconds(point.time_us)} µs", ratio(over)] if point else ["", ""]
        errors = [point.figures["error_u"] for point in points if point]
        rows.append([*row, number(max(errors) if errors and None not in errors else None, ".2g")])
    what = f"{bench.device}, in one run of {commands(bench)}; medians. The error is the largest of the sizes shown."
    return f"{table(rows)}\n\n{what}"


def block_sizes(bench: Bench, stage: str, picture: str) -> Optional[str]:
    """The time of a stage with each block size, and the picture of it."""
    programs = [program for program in bench.programs if program.name == f"answer-{stage}"]
    if len(programs) < 2:
        return None
    chosen = bench_data.sizes_of(programs)
    best = {
        size: min(program.points[size].time_us for program in programs if size in program.points) for size in chosen
    }
    units = {point.figures["work"]["unit"] for program in programs for point in program.points.values()}
    rows = [["threads a block", *(f"{power(size)} {' or '.join(sorted(units))}" for size in chosen)]]
    for program in programs:
        row = [sizes.text(program.block_size)]
        for size in chosen:
            point = program.points.get(size)
            text = f"{microseconds(point.time_us)} µs" if point else ""
            row.append(f"**{text}**" if point and point.time_us == best[size] else text)
        rows.append(row)
    what = f"{bench.device}, {commands(bench)}; medians, the shortest time of each size in bold."
    return f"{table(rows)}\n\n{what}\n\n![Time over the size of a block]({picture})"


def cpu_ratios(reports: Sequence[Dict[str, object]], option: str) -> str:
    """Stages beside the plain CPU loop that their programs time, too. There is one row for each value of an option, the
    cheapest for the CPU first. `reports`: of several rounds."""
    numbers = sorted({report["stage"] for report in reports})
    rows = [[f"`--{option}`", "CPU", *(head for n in numbers for head in (f"stage {n:02}", "over the CPU"))]]
    measured = []
    for value in dict.fromkeys(report[option] for report in reports):
        mine = [report for report in reports if report[option] == value]
        cpu = statistics.median(report["cpu_time_ms"] for report in mine)
        times = [statistics.median(report["time_ms"] for report in mine if report["stage"] == n) for n in numbers]
        measured.append((cpu, value, times))
    for cpu, value, times in sorted(measured):
        cells = [cell for time in times for cell in (milliseconds(time), against_cpu(cpu / time))]
        rows.append([f"`{value}`", milliseconds(cpu), *cells])
    first = reports[0]
    rounds = sum((report[option], report["stage"]) == (first[option], first["stage"]) for report in reports)
    text = (
        f"{first['device']} and one core of its host, {sizes.text(first['size'])} {first['work']['unit']}, "
        f"{sizes.text(first['block_size'])} threads a block; medians of {rounds} rounds."
    )
    return f"{table(rows)}\n\n{text}"


def milliseconds(time: float) -> str:
    return f"{float(f'{time:.3g}'):g} ms"


def against_cpu(ratio: float) -> str:
    """The CPU's time over the GPU's."""
    word, factor = ("faster", ratio) if ratio >= 1 else ("slower", 1 / ratio)
    return f"{factor:.{1 if factor < 100 else 0}f} × {word}"
