# SPDX-License-Identifier: MIT
"""The benchmark's figures as Markdown, for the README and the lessons; scripts/tables puts it between their marks. A
function answers None where the figures that it is about were not measured."""

from __future__ import annotations

import statistics
import textwrap
from typing import Dict, List, Optional, Sequence

from . import bench_data
from .bench_data import Bench, Point, Program
from .bench_table import bandwidth, half, microseconds, percent, power, ratio
from .markdown import stage_link, stage_list, table
from .stages import Stage
from .text_table import number

LESSON_SIZE = 2**24
LADDER_SIZES = (2**24, 2**28)
VARIANT_SIZES = (2**20, 2**24, 2**28)
WIDTH = 118
CHOICES = ("operation", "function")  # options of a problem's own that change what is computed
ERROR_HEAD = "error, u·Σ\\|x\\|"
COMMAND = "`scripts/workbook bench`"
NOTES_SLOWER, NOTES_FASTER = 2.2, 18.9  # what the course notes say of their atomics, and of their reduction
CPU_COMMAND = """\
    for f in square sine bell arc; do for stage in 09 10; do
      build/default/bin/answer-stage$stage --function $f --block-size 64 --json
    done; done"""


def answer(bench: Bench, stage: str) -> Optional[Program]:
    return bench.find(f"answer-{stage}")


def unit(point: Point) -> str:
    if point.figures["input_bytes"] == 0:
        return "intervals"
    return "floats" if point.figures["input_bytes"] == 4 * point.size else "numbers"


def libraries(programs: Sequence[Program]) -> str:
    """ "cub::DeviceReduce::Sum, CUB 3.0.1 (stages 01 to 07)": which library's function each stage is held against."""
    by_peer: Dict[str, List[int]] = {}
    for program in programs:
        by_peer.setdefault(program.peer, []).append(program.stage)
    return "; ".join(f"{peer} ({stage_list(numbers)})" for peer, numbers in by_peer.items())


def ladder(bench: Bench, stages: Sequence[Stage]) -> str:
    """One row a stage, at two sizes; what a step bought is shown at the first of them."""
    programs = [program for program in (answer(bench, stage.name) for stage in stages) if program is not None]
    sizes = [size for size in LADDER_SIZES if size in bench_data.sizes_of(programs)]
    rows = [["stage"]]
    for size in sizes:
        rows[0] += [f"{power(size)}: time", "GB/s", "of a copy", "over the library's time"]
        rows[0] += ["against the stage before"] if size == sizes[0] else []
    for program in programs:
        rows.append([stage_link(program.stage)])
        for size in sizes:
            point = program.points.get(size)
            rows[-1] += point_cells(point) if point else [""] * 4
            if size == sizes[0]:
                bought = bench.speedup(program, size)
                rows[-1].append("" if bought is None else f"{ratio(bought)} × as fast")
    text = (
        f"{bench.device}, {COMMAND}: all launches of one computation, inputs not in the cache, medians. GB/s: bytes of "
        f"input over time; of a copy: of the {bench_data.copy_gb_s(programs):,.0f} GB/s that a copy in the device's "
        "memory reads and writes. Over the library's time: below 1 is faster than the library in the same run, "
        f"{libraries(programs)}. A launch that does nothing: {microseconds(bench_data.empty_launch_us(programs))} µs."
    )
    return f"{table(rows)}\n\n{text}"


def point_cells(point: Point) -> List[str]:
    time = f"{microseconds(point.time_us)} µs"
    return [time, bandwidth(point.gb_s), percent(point.of_copy), ratio(point.over_peer)]


def lesson(bench: Bench, stage: str) -> Optional[str]:
    """A stage at one size, in sentences."""
    program = answer(bench, stage)
    point = program.points.get(LESSON_SIZE) if program else None
    if program is None or point is None:
        return None
    text = f"{bench.device}, {point.size:,} {unit(point)}, {chosen(program)}{program.block_size:,} threads a block, "
    text += "all launches of one computation" + (", the input not in the cache: " if point.gb_s else ": ")
    text += (
        f"**{microseconds(point.time_us)} µs** (median of {point.figures['samples']} samples, the middle half of them "
    )
    text += f"{half(point)})"
    if point.gb_s:
        text += f", {bandwidth(point.gb_s)} GB/s of input, "
        text += f"{percent(point.of_copy)} of what a copy in the device's memory moves"
    text += "." + against_before(bench, program, point)
    if point.over_peer is not None:
        library = program.peer_function.replace(" as ", "` as `")
        text += f" `{library}` in the same run: {microseconds(point.peer_us)} µs; this stage takes "
        text += f"**{ratio(point.over_peer)}** of that."
    return "\n".join(textwrap.wrap(f"{text} ({COMMAND})", WIDTH, break_long_words=False, break_on_hyphens=False))


def chosen(program: Program) -> str:
    """What the problem computes, where there is a choice."""
    return "".join(f"`--{word} {program.report[word]}`, " for word in CHOICES if word in program.report)


def against_before(bench: Bench, program: Program, point: Point) -> str:
    before, factor = bench.before(program), bench.speedup(program, point.size)
    if before is None or factor is None:
        return ""
    bought = "so this step bought" if factor >= 1 else "so this step, taken alone, made it slower:"
    time = microseconds(before.points[point.size].time_us)
    return f" Stage {before.label} in the same run: {time} µs, {bought} a factor of **{ratio(factor)}**."


def sizes(bench: Bench, stage: str) -> Optional[str]:
    """A stage and the library at every size."""
    program = answer(bench, stage)
    if program is None:
        return None
    rows = [["size", "time, µs", "GB/s", "of a copy", "the library, µs", "over the library's time", ERROR_HEAD]]
    for size in sorted(program.points):
        point = program.points[size]
        rows.append(
            [
                power(size),
                f"{microseconds(point.time_us)} ({half(point)})",
                bandwidth(point.gb_s),
                percent(point.of_copy),
                f"{microseconds(point.peer_us)} ({half(point, 'peer_time_us')})",
                number(point.over_peer, ".2f"),
                number(point.figures["error_u"], ".2g"),
            ]
        )
    what = (
        f"{bench.device}, {program.peer}, in one run of {COMMAND}, inputs not in the cache: medians, and between which "
        "times the middle half of the samples lies. A launch that does nothing took "
        f"{microseconds(bench_data.empty_launch_us([program]))} µs."
    )
    return f"{table(rows)}\n\n{what}"


def variants(bench: Bench, stage: str) -> Optional[str]:
    """The variants of a stage beside the stage itself."""
    own = answer(bench, stage)
    found = [program for program in bench.programs if program.variant and own and program.stage == own.stage]
    if own is None or not found:
        return None
    chosen = [size for size in VARIANT_SIZES if size in own.points]
    rows = [["variant"]]
    for size in chosen:
        rows[0] += [f"{power(size)}: time", f"over stage {own.label}'s"]
    rows[0].append(ERROR_HEAD)
    for program in [own, *found]:
        row = [f"`{program.variant}`" if program.variant else f"stage {own.label} itself"]
        points = [program.points.get(size) for size in chosen]
        for point in points:
            over = point.time_us / own.points[point.size].time_us if point else None
            row += [f"{microseconds(point.time_us)} µs", ratio(over)] if point else ["", ""]
        errors = [point.figures["error_u"] for point in points if point]
        rows.append([*row, number(max(errors) if errors and None not in errors else None, ".2g")])
    what = f"{bench.device}, in one run of `{bench.command}`; medians. The error is the largest of the sizes shown."
    return f"{table(rows)}\n\n{what}"


def block_sizes(bench: Bench, stage: str, picture: str) -> Optional[str]:
    """A stage's time with each block size, and the picture of it."""
    programs = [program for program in bench.programs if program.name == f"answer-{stage}"]
    if len(programs) < 2:
        return None
    chosen = bench_data.sizes_of(programs)
    best = {
        size: min(program.points[size].time_us for program in programs if size in program.points) for size in chosen
    }
    rows = [["threads a block", *(f"{power(size)} {unit(programs[0].points[size])}" for size in chosen)]]
    for program in programs:
        row = [f"{program.block_size:,}"]
        for size in chosen:
            point = program.points.get(size)
            text = f"{microseconds(point.time_us)} µs" if point else ""
            row.append(f"**{text}**" if point and point.time_us == best[size] else text)
        rows.append(row)
    what = f"{bench.device}, `{bench.command}`; medians, the shortest time of each size in bold."
    return f"{table(rows)}\n\n{what}\n\n![Time over the size of a block]({picture})"


def cpu_ratios(reports: Sequence[Dict[str, object]], host: str) -> str:
    """Stages 09 and 10 beside the plain loop on the CPU that both programs time too, one row a function: the cheapest
    first, and before it what the course notes say."""
    rows = [["`--function`", "CPU", "stage 09", "over the CPU", "stage 10", "over the CPU"]]
    rows.append(["the course notes", "", "", against_cpu(1 / NOTES_SLOWER), "", against_cpu(NOTES_FASTER)])
    measured = []
    for function in dict.fromkeys(report["function"] for report in reports):
        mine = [report for report in reports if report["function"] == function]
        cpu = statistics.median(report["cpu_time_ms"] for report in mine)
        stages = [statistics.median(report["time_ms"] for report in mine if report["stage"] == n) for n in (9, 10)]
        measured.append((cpu, function, stages))
    for cpu, function, stages in sorted(measured):
        cells = [cell for time in stages for cell in (milliseconds(time), against_cpu(cpu / time))]
        rows.append([f"`{function}`", milliseconds(cpu), *cells])
    first = reports[0]
    rounds = sum((report["function"], report["stage"]) == (first["function"], first["stage"]) for report in reports)
    text = (
        f"{first['device']} and {host}, {first['size']:,} intervals, {first['block_size']} threads a block; medians of "
        f"{rounds} rounds of"
    )
    return f"{table(rows)}\n\n{text}\n\n{CPU_COMMAND}"


def milliseconds(time: float) -> str:
    return f"{float(f'{time:.3g}'):g} ms"


def against_cpu(ratio: float) -> str:
    """From the CPU's time over the GPU's."""
    word, factor = ("faster", ratio) if ratio >= 1 else ("slower", 1 / ratio)
    return f"{factor:.{1 if factor < 100 else 0}f} × {word}"
