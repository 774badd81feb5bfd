# SPDX-License-Identifier: MIT
"""Pictures of benchmark figures, by matplotlib, which only this module needs. They show time and bandwidth over the
size of the input, or time over the size of a block. The same figures and the same matplotlib give the same bytes."""

from __future__ import annotations

import hashlib
import io
import json
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Dict, List, Sequence, Tuple

from ..base import sizes
from ..base.errors import WorkbookError
from ..base.sizes import Size, power
from . import bench_data
from .bench_data import Bench, Point, Program
from .bench_table import microseconds

# Colours that are distinct with any common colour blindness (Okabe and Ito), and all dark enough for white. Markers and
# dashes tell the lines apart without colour.
COLOURS = ("#666666", "#56B4E9", "#009E73", "#CC79A7", "#E69F00", "#0072B2", "#D55E00")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES = ("-", "--", "-.", ":")
MOST_TICKS = 12
AXIS_LETTERS = 66  # the width of a panel
DIGEST = "figures "  # a picture holds the digest of its figures
PNG_COLOURS = 64  # enough for lines, markers and antialiasing; a picture then takes a third of the bytes
STYLE = {
    "svg.hashsalt": "workbook",
    "svg.fonttype": "none",  # text remains text
    "font.family": "sans-serif",
    "font.size": 10,
    "figure.facecolor": "white",  # a background of its own, because a README may have a dark one
    "savefig.facecolor": "white",
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "lines.linewidth": 1.5,
    "lines.markersize": 5,
    "legend.frameon": False,
}


def digest(bench: Bench) -> str:
    """A digest of the figures that a picture shows."""
    return hashlib.sha256(json.dumps(bench.as_json(), sort_keys=True).encode()).hexdigest()[:16]


def line_style(number: int) -> dict:
    count = len(COLOURS)
    return {
        "color": COLOURS[number % count],
        "marker": MARKERS[number % count],
        "linestyle": DASHES[number // count % len(DASHES)],
    }


def exponent(size: Size) -> str:
    """The size as 2²⁴ for a power of two. 4096² for a square and 512³ for a cube are shorter than 4096x4096."""
    extents = sizes.text(size).split("x")
    if len(extents) > 1 and len(set(extents)) == 1:
        return extents[0] + " ²³"[len(extents) - 1]
    base, _, high = power(size).partition("^")
    return base + high.translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def log_axes(axes, shown: Sequence[Size], what: str, ticks: Callable[[Size], str]) -> None:
    """Logarithmic axes. `shown`: the sizes of inputs or blocks along the axis, each at its number of elements."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}" if value >= 1 else f"{value:g}"))
    shown = shown[:: (len(shown) + MOST_TICKS - 1) // MOST_TICKS]
    labels = apart([(sizes.elements(size), ticks(size)) for size in shown])
    axes.xaxis.set_major_locator(FixedLocator(list(labels)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticklabels(list(labels.values()))
    axes.set_xlabel(what)


def apart(ticks: Sequence[Tuple[int, str]]) -> Dict[int, str]:
    """Labels by place on a logarithmic axis: those with enough space, the shorter ones first. The table names all."""
    chosen: Dict[int, str] = {}
    ends = [math.log2(place) for place, _ in ticks] or [0.0]
    for place, label in sorted(ticks, key=lambda tick: (len(tick[1]), tick[0])):
        away = [(abs(math.log2(place / other)), len(label) + len(chosen[other])) for other in chosen]
        if all(AXIS_LETTERS * distance >= (max(ends) - min(ends)) * (letters / 2 + 1) for distance, letters in away):
            chosen[place] = label
    return dict(sorted(chosen.items()))


@dataclass(frozen=True)
class Rate:
    """The right panel of a family."""

    title: str
    amount: Callable[[Point], float]


def rate_of(points: Sequence[Point]) -> Rate:
    if all(point.gb_s for point in points):
        return Rate("GB/s, read and written", lambda point: point.bytes)
    if any(point.gflop_s for point in points):
        return Rate("GFLOP/s", lambda point: point.figures["work"]["operations"])
    return Rate("Billions of elements a second", lambda point: point.figures["work"]["elements"])


def over_size(figure, bench: Bench, family: Sequence[Program]) -> None:
    """Two panels: time with the minimum of an empty launch, and bandwidth with the maximum of a copy. Variants appear
    only beside a single stage."""
    if len({program.stage for program in family}) > 1:
        family = [program for program in family if not program.variant]
    shown = bench_data.sizes_of(family)
    point_at = {size: point for program in family for size, point in program.points.items()}
    rate = rate_of(list(point_at.values()))
    has_bytes = all(point.gb_s for point in point_at.values())
    left, right = figure.subplots(1, 2)
    for number, program in enumerate(family):
        points = [program.points[size] for size in sizes.distinct(program.points)]
        label = " ".join(filter(None, (program.label, program.title)))
        where = [sizes.elements(point.size) for point in points]
        left.plot(where, [point.time_us for point in points], label=label, **line_style(number))
        right.plot(where, [rate.amount(point) / point.time_us / 1e3 for point in points], **line_style(number))
    library = {size: time for size in shown if (time := bench_data.first_peer_us(family, size))}
    if library:
        label = family[0].first_peer.split(",")[0].replace(" as ", "\nas ")
        look = {"color": "black", "linestyle": (0, (4, 2)), "linewidth": 1.2, "label": label}
        where = [sizes.elements(size) for size in library]
        left.plot(where, list(library.values()), **look)
        right.plot(where, [rate.amount(point_at[size]) / time / 1e3 for size, time in library.items()], **look)
    if has_bytes:
        copy = bench_data.copy_gb_s(family)
        right.axhline(copy, color="black", linewidth=0.9)
        label = f"a copy in the device's memory, read and written: {copy:,.0f} GB/s"
        right.annotate(label, (sizes.elements(shown[0]), copy), xytext=(0, 4), textcoords="offset points")
        right.margins(y=0.08)
    floor = bench_data.empty_launch_us(family)
    left.axhline(floor, color="black", linewidth=0.9)
    label = f"a launch that does nothing: {microseconds(floor)} µs"
    place = (sizes.elements(shown[-1]), floor)
    left.annotate(label, place, xytext=(0, -4), textcoords="offset points", ha="right", va="top")
    left.set_title("Time, µs", loc="left")
    right.set_title(rate.title, loc="left")
    for axes in (left, right):
        log_axes(axes, shown, "size of the input" if has_bytes else "size", exponent)
    handles, labels = left.get_legend_handles_labels()
    rows = (len(labels) + 3) // 4 + max(label.count("\n") for label in labels)
    figure.legend(handles, labels, loc="lower left", ncol=4, bbox_to_anchor=(0.03, 0.0))
    figure.subplots_adjust(left=0.065, right=0.99, top=0.87, bottom=0.12 + 0.045 * rows, wspace=0.12)


def over_block_size(figure, bench: Bench, family: Sequence[Program]) -> None:
    """Time over the size of a block, one line for each program and size."""
    axes = figure.subplots()
    number = 0
    for name in dict.fromkeys(program.name for program in family):
        mine = [program for program in family if program.name == name]
        for size in bench_data.sizes_of(mine):
            there = [program for program in mine if size in program.points]
            axes.plot(
                [sizes.elements(program.block_size) for program in there],
                [program.points[size].time_us for program in there],
                label=f"{there[0].label}, size {exponent(size)}",
                **line_style(number),
            )
            number += 1
    axes.set_title("Time, µs", loc="left")
    log_axes(axes, sizes.distinct(program.block_size for program in family), "threads a block", sizes.text)
    axes.legend()
    figure.subplots_adjust(left=0.09, right=0.98, top=0.85, bottom=0.12)


def is_sweep(family: Sequence[Program]) -> bool:
    """Whether a program has several block sizes."""
    return len(family) > len({program.name for program in family})


def save(figure, file: Path, description: str) -> None:
    """Saves an SVG, a PNG of few colours, or another kind that matplotlib knows. The first two hold the digest of their
    figures."""
    tight = {"bbox_inches": "tight"}  # labels may be long
    if file.suffix == ".svg":
        figure.savefig(file, metadata={"Date": None, "Creator": None, "Description": description}, **tight)
    elif file.suffix == ".png":
        from PIL import Image, PngImagePlugin

        drawn, words = io.BytesIO(), PngImagePlugin.PngInfo()
        figure.savefig(drawn, dpi=100, **tight)
        words.add_text("Description", description)
        few = Image.open(drawn).convert("RGB").quantize(PNG_COLOURS, dither=Image.Dither.NONE)
        few.save(file, format="PNG", optimize=True, pnginfo=words)
    else:
        figure.savefig(file, dpi=150, **tight)


def draw(bench: Bench, path: Path) -> List[Path]:
    """Writes the picture of the first family to `path`. Those of others lie beside it, with the problem's name in the
    file's name. Raises ImportError where matplotlib is missing."""
    import matplotlib
    from matplotlib.figure import Figure

    written = []
    for family in ([program for program in family if program.points] for family in bench.families()):
        if not family:
            continue
        swept = is_sweep(family)
        word = re.sub(r"\W+", "_", family[0].task)
        file = path if not written else path.with_name(f"{path.stem}_{word}{path.suffix}")
        with matplotlib.rc_context(STYLE):
            figure = Figure(figsize=(7, 4.5) if swept else (11, 5.5))
            (over_block_size if swept else over_size)(figure, bench, family)
            figure.suptitle(f"{family[0].task} on {bench.device}", x=0.01, ha="left")
            try:
                save(figure, file, DIGEST + digest(bench))
            except OSError as error:
                raise WorkbookError(f"cannot write {file}: {error.strerror}") from error
        written.append(file)
    return written
