# SPDX-License-Identifier: MIT
"""A program's own source with the simulator's counters in the margin: the cost of each line, and the worst line."""

from __future__ import annotations

import os
import re
import shutil
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Dict, List, Optional, Set, Tuple

from ..simulator.findings import short_path
from ..simulator.run_report import Report

Counters = Dict[str, int]

NARROWEST, OFF_A_TERMINAL = 100, 120
LINES_BEFORE, LINES_AFTER = 3, 1  # lines around executed lines
FEW_LANES = 24  # of 32; above this a line has no mark for idle threads
LARGE_SHARE = 0.1  # of all instructions; below this a line has no mark for them


@dataclass(frozen=True)
class Column:
    """A column of the profile. `waste` gives the cost of a line; the line with the highest cost is marked."""

    head: Tuple[str, str]
    text: Callable[[Counters, Counters], str]  # from the line's counters and the whole program's; empty: no text
    waste: Callable[[Counters, Counters], float]


def share(line: Counters, whole: Counters) -> float:
    return line["warp_instructions"] / max(whole["warp_instructions"], 1)


def per(line: Counters, amount: str, number: str) -> float:
    return line[amount] / line[number] if line[number] else 0.0


def compact(number: float) -> str:
    """A number in at most five characters: 9999, 12.3M, 111k."""
    if number < 10_000:
        return f"{number:.0f}"
    for unit in "kMGTP":
        number /= 1000
        if number < 999.5:
            return f"{number:.{0 if number >= 99.95 else 1}f}{unit}"
    return "more"


def percent(part: float) -> str:
    return "0" if part == 0 else "<1%" if part < 0.005 else f"{part:.0%}"


def idle_lanes(line: Counters, whole: Counters) -> float:
    few = per(line, "thread_instructions", "warp_instructions") < FEW_LANES
    return 32 * line["warp_instructions"] - line["thread_instructions"] if few else 0


def extra_sectors(kind: str) -> Callable[[Counters, Counters], float]:
    """Sectors above those of the widest access, 16 bytes a thread side by side. No counter gives the width of an
    access."""

    def waste(line: Counters, whole: Counters) -> float:
        widest = max(per(line, "thread_instructions", "warp_instructions") / 2, 4)
        return line[f"global_{kind}_sectors"] - widest * line[f"global_{kind}_requests"]

    return waste


def sectors(kind: str) -> Callable[[Counters, Counters], str]:
    def text(line: Counters, whole: Counters) -> str:
        requests = line[f"global_{kind}_requests"]
        return f"{line[f'global_{kind}_sectors'] / requests:.1f}" if requests else ""

    return text


COLUMNS = (
    Column(
        ("warp", "instr"),
        lambda line, whole: percent(share(line, whole)),
        lambda line, whole: line["warp_instructions"] if share(line, whole) >= LARGE_SHARE else 0,
    ),
    Column(
        ("times", "run"),
        lambda line, whole: compact(line["executions"]),
        lambda line, whole: 0,
    ),
    Column(
        ("active", "lanes"),
        lambda line, whole: f"{per(line, 'thread_instructions', 'warp_instructions'):.1f}",
        idle_lanes,
    ),
    Column(("load", "sect."), sectors("load"), extra_sectors("load")),
    Column(("store", "sect."), sectors("store"), extra_sectors("store")),
    Column(
        ("bank", "conf."),
        lambda line, whole: compact(line["shared_bank_conflicts"]) if line["shared_requests"] else "",
        lambda line, whole: line["shared_bank_conflicts"],
    ),
    Column(
        ("", "atoms"),
        lambda line, whole: compact(line["atomic_requests"]) if line["atomic_requests"] else "",
        lambda line, whole: 0,
    ),
    Column(
        ("split", "bran."),
        lambda line, whole: percent(per(line, "divergent_branches", "branches")) if line["branches"] else "",
        lambda line, whole: line["divergent_branches"],
    ),
    Column(
        ("", "barr."),
        lambda line, whole: compact(line["barriers"]) if line["barriers"] else "",
        lambda line, whole: 0,
    ),
)
# Only where there is an estimate, whose share stands beside the counters.
OF_AN_ESTIMATE = Column(
    ("est.", "time"),
    lambda line, whole: percent(line["estimate"]) if line.get("estimate") else "",
    lambda line, whole: line.get("estimate", 0),
)

LEGEND = """
warp instr: share of the PTX instructions of all warps; times run: how often a warp came there (of the copies that
unrolling makes of a line, the one that ran most counts); active lanes: threads of a warp that took part, of 32;
load, store sect.: 32-byte sectors a request, at best 4 for float, 8 for double, 16 for float4; bank conf.: extra passes
of shared memory; atoms: requests of atomics; split bran.: branches where the threads of a warp parted; barr.: barriers;
!: the worst of a column."""
LEGEND_OF_AN_ESTIMATE = " est. time: share of the estimate, by what its limit counts, not measured."


def terminal_width() -> int:
    return max(shutil.get_terminal_size((OFF_A_TERMINAL, 24)).columns, NARROWEST)


def kernels_without_lines(report: Report) -> List[str]:
    """Kernels without line information: compiled without -lineinfo."""
    known: Dict[str, bool] = {}
    for entry in report.get("lines", []):
        known[entry["kernel"]] = known.get(entry["kernel"], False) or entry["line"] > 0
    return [kernel for kernel, has_lines in known.items() if not has_lines]


def is_users(path: Path) -> bool:
    """Whether the file is a readable source, and no header of the CUDA toolkit or of the system."""
    if not path.is_file() or path.is_relative_to("/usr/include"):
        return False
    return not any(parent.name == "include" and (parent / "cuda_runtime.h").exists() for parent in path.parents)


def add(total: Counters, more: Counters) -> None:
    for name, value in more.items():
        total[name] = total.get(name, 0) + value


def instantiations(report: Report) -> Set[str]:
    """The kernels of a template with several instances. A line has a different cost in each."""
    templates: Dict[str, Set[str]] = {}
    for entry in report.get("lines", []):
        templates.setdefault(re.sub("<.*", "", entry["kernel"]), set()).add(entry["kernel"])
    return {kernel for kernels in templates.values() for kernel in kernels if "<" in kernel and len(kernels) > 1}


def by_file(report: Report) -> Tuple[Dict[Tuple[Path, str], Dict[int, Counters]], Counters, Counters]:
    """The counters of each line of each of the user's files. Several instances of a template have separate counters (""
    has all other kernels together). Also returns the counters of everything, and of code in no such file."""
    files: Dict[Tuple[Path, str], Dict[int, Counters]] = {}
    apart = instantiations(report)
    whole: Counters = {}
    elsewhere: Counters = {}
    for entry in report.get("lines", []):
        counters = {**entry["counters"], "executions": entry["executions"]}
        add(whole, counters)
        path = Path(os.path.normpath(entry["file"]))
        if entry["line"] > 0 and is_users(path):
            kernel = entry["kernel"] if entry["kernel"] in apart else ""
            add(files.setdefault((path, kernel), {}).setdefault(entry["line"], {}), counters)
        else:
            add(elsewhere, counters)
    return files, whole, elsewhere


def text(report: Report, width: int) -> str:
    files, whole, elsewhere = by_file(report)
    if not whole:
        return "No kernel was run: there is nothing to show beside the source."
    launches = len(report.get("launches", [])) + report.get("launches_left_out", 0)
    total = whole["warp_instructions"]
    parts = [f"{total:,} PTX warp instructions in {launches:,} launch{'es' if launches != 1 else ''}."]
    legend = LEGEND + LEGEND_OF_AN_ESTIMATE if whole.get("estimate") else LEGEND
    parts.append(textwrap.fill(legend.strip(), width))
    for (path, kernel), lines in sorted(files.items()):
        parts.append("\n" + file_text(path, kernel, lines, whole, width))
    if elsewhere:
        part = percent(elsewhere["warp_instructions"] / max(total, 1))
        parts.append(f"\n{part} of the instructions are in headers of the toolkit, or have no line (nvcc -lineinfo).")
    return "\n".join(parts)


@dataclass(frozen=True)
class SourceRow:
    """A line of the source with its counters."""

    number: int
    cells: List[str]  # one for each column; all empty: the line was not executed
    is_worst: List[bool]
    code: str


def source_rows(path: Path, lines: Dict[int, Counters], whole: Counters) -> Tuple[List[Column], List[SourceRow]]:
    """The executed lines with a few lines around them, and the columns that are not empty."""
    source = path.read_text(encoding="utf-8", errors="replace").expandtabs(4).splitlines()
    columns = [column for column in (*COLUMNS, OF_AN_ESTIMATE) if any(column.text(line, whole) for line in lines.values())]
    worst = {column: worst_line(column, lines, whole) for column in columns}
    rows = []
    for number in shown_lines(lines, len(source)):
        cells = [column.text(lines[number], whole) if number in lines else "" for column in columns]
        is_worst = [bool(cell) and worst[column] == number for cell, column in zip(cells, columns)]
        rows.append(SourceRow(number, cells, is_worst, source[number - 1] if number <= len(source) else ""))
    return columns, rows


def file_text(path: Path, kernel: str, lines: Dict[int, Counters], whole: Counters, width: int) -> str:
    columns, rows = source_rows(path, lines, whole)
    heads = ["".join(f"{column.head[i]:>5} " for column in columns) for i in range(2)]
    text = [short_path(str(path)) + (f", {kernel}" if kernel else ""), heads[0].rstrip(), heads[1] + "line"]
    text.append("-" * width)
    before = rows[0].number - 1
    for row in rows:
        if row.number != before + 1:
            text.append(" " * len(heads[0]) + " ...")
        margin = "".join(f"{cell:>5}{'!' if worst else ' '}" for cell, worst in zip(row.cells, row.is_worst))
        text.append(f"{margin}{row.number:>4} {row.code}"[:width].rstrip())
        before = row.number
    return "\n".join(text)


def worst_line(column: Column, lines: Dict[int, Counters], whole: Counters) -> Optional[int]:
    """The line with the highest cost. None where no line is bad."""
    number = max(lines, key=lambda line: column.waste(lines[line], whole))
    return number if column.waste(lines[number], whole) > 0 else None


def shown_lines(lines: Dict[int, Counters], count: int) -> List[int]:
    """The numbers of the lines to show: those with counters, and a few around them."""
    around = {near for line in lines for near in range(line - LINES_BEFORE, line + LINES_AFTER + 1)}
    return sorted(near for near in around if 1 <= near <= max(count, max(lines)))
