# SPDX-License-Identifier: MIT
"""The picture at the head of README.md: the message on a race, and the step gains of the first track. The text is
scripts/measured/first_sight.txt. The times are in scripts/measured/bench_h200.json."""

from __future__ import annotations

from html import escape
from typing import Iterator, List, Sequence, Tuple

from .bench_data import Bench, Program
from .bench_table import microseconds
from ..base.sizes import Size, text as size_text
from ..course.stages import Stage

WIDTH, EDGE = 960, 16
LINE, ROW = 17, 22  # pixels of a line of text, and of a bar with its space
BAR_LEFT, BAR_RIGHT = 290, 840
TRACK = range(1, 8)  # the stages on the sum of numbers
HEAD = "What each step buys: time on one {} for {} floats"


def draw(shown: str, bench: Bench, listed: Sequence[Stage], size: Size) -> str:
    """The SVG. `shown`: a command and its output. `size`: that of the track's lessons."""
    lines = shown.rstrip("\n").split("\n")
    bars = list(times(bench, listed, size))
    top = EDGE + LINE * len(lines) + 2 * EDGE
    head = HEAD.format(bench.device, size_text(size))
    body = [
        f'<rect width="{WIDTH}" height="{top - EDGE}" rx="6" fill="#1e1e1e"/>',
        *(terminal_line(line, EDGE + LINE * (number + 1)) for number, line in enumerate(lines)),
        f'<text class="head" x="{EDGE}" y="{top + ROW}">{escape(head)}</text>',
        *bar_rows(bars, top + 2 * ROW),
    ]
    height = top + ROW * (len(bars) + 2)
    style = ".term{font:13px monospace;white-space:pre}.head{font:bold 15px sans-serif}.bar{font:14px sans-serif}"
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">'
    ground = f'<rect width="{WIDTH}" height="{height}" fill="white"/>'  # a page may have a dark background
    return "\n".join([opening, f"<style>{style}</style>", ground, *body, "</svg>", ""])


def terminal_line(line: str, y: int) -> str:
    colour = "#f48771" if "error:" in line else "#9cdcfe" if line.startswith("$") else "#d4d4d4"
    return f'<text class="term" x="{EDGE}" y="{y}" fill="{colour}" xml:space="preserve">{escape(line)}</text>'


def times(bench: Bench, listed: Sequence[Stage], size: Size) -> Iterator[Tuple[str, float]]:
    """A label and microseconds for each stage of the track. The library comes beside the last one."""
    programs: List[Program] = []
    for stage in listed:
        program = bench.find(f"answer-{stage.name}") if stage.number in TRACK else None
        if program is not None and size in program.points:
            programs.append(program)
            yield f"{stage.number:02} {stage.title}", program.points[size].time_us
    if programs and programs[-1].points[size].peer_us() is not None:
        yield programs[-1].first_peer.split(",")[0], programs[-1].points[size].peer_us()


def bar_rows(bars: Sequence[Tuple[str, float]], y: int) -> Iterator[str]:
    longest = max((time for _, time in bars), default=1.0)
    for number, (label, time) in enumerate(bars):
        base = y + ROW * number
        length = (BAR_RIGHT - BAR_LEFT) * time / longest
        colour = "#666666" if "::" in label else "#0072B2"
        yield f'<text class="bar" x="{EDGE}" y="{base + 11}">{escape(label)}</text>'
        yield f'<rect x="{BAR_LEFT}" y="{base}" width="{length:.1f}" height="13" fill="{colour}"/>'
        yield f'<text class="bar" x="{BAR_LEFT + length + 8:.1f}" y="{base + 11}">{microseconds(time)} µs</text>'
