# SPDX-License-Identifier: MIT
"""The figures of the benchmark programs (bin/bench-answer-stage07 and the like): joined over rounds, kept in a file,
and what follows from them. The fields of a program's report are those of common/workbook/bench/report.cpp."""

from __future__ import annotations

import json
import re
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional, Sequence

from ..base import files, sizes
from ..base.errors import WorkbookError
from ..base.sizes import Size

FORMAT = 2
# Operations for each byte of memory from which on it is the arithmetic that takes the time: a GPU of these years does
# 10 to 30 of them, in float, while a byte arrives.
COMPUTE_BOUND = 16
NAME = re.compile(r"(answer|todo|variant)-stage(\d\d)(?:-(.+))?")


def label(name: str) -> str:
    """ "07 kahan" for variant-stage07-kahan."""
    parts = NAME.fullmatch(name)
    if not parts:
        raise WorkbookError(f"'{name}' is no program of a stage")
    return f"{parts[2]} {(parts[3] or '').replace('_', ' ')}".rstrip()


def has_times(row: Dict[str, object]) -> bool:
    """The time of a wrong result is of no interest."""
    return bool(row.get("matches")) and "time_us" in row


def reason(row: Dict[str, object]) -> str:
    return f"does not match: {row.get('reason') or 'the program says no more'}"


@dataclass(frozen=True)
class Point:
    """One program at one size, with a result that matches."""

    figures: Dict[str, object]
    copy_gb_s: float

    @property
    def size(self) -> Size:
        return self.figures["size"]

    @property
    def time_us(self) -> float:
        return self.figures["time_us"]["median"]

    @property
    def bytes(self) -> float:
        """What it cannot do without reading and writing."""
        return self.figures["work"]["bytes_read"] + self.figures["work"]["bytes_written"]

    @property
    def is_compute_bound(self) -> bool:
        return self.figures["work"]["operations"] > COMPUTE_BOUND * self.bytes

    def peer_times(self, number: int = 0) -> Optional[Dict[str, float]]:
        """The time of the library, or of another peer; None where it was not measured."""
        peers = self.figures.get("peers") or []
        return peers[number].get("time_us") if number < len(peers) else None

    def peer_us(self, number: int = 0) -> Optional[float]:
        return (self.peer_times(number) or {}).get("median")

    def over_peer(self, number: int = 0) -> Optional[float]:
        time = self.peer_us(number)
        return self.time_us / time if time else None

    @property
    def gb_s(self) -> Optional[float]:
        """None where memory is not what it waits for."""
        return self.bytes / self.time_us / 1e3 if self.bytes and not self.is_compute_bound else None

    @property
    def rate_head(self) -> Optional[str]:
        """How people say how many elements are done in a second, where they do."""
        return {"keys": "Gkey/s", "queries": "Gquery/s"}.get(self.figures["work"]["unit"])

    @property
    def billions_s(self) -> Optional[float]:
        """Elements a second, where people say how many."""
        return self.figures["work"]["elements"] / self.time_us / 1e3 if self.rate_head else None

    @property
    def gflop_s(self) -> Optional[float]:
        return self.figures["work"]["operations"] / self.time_us / 1e3 if self.is_compute_bound else None

    @property
    def of_peak(self) -> Optional[float]:
        """The share of what all FP32 lanes can do at the clock that was read meanwhile; None where memory takes the time, and where
        the GPU's lanes are not known."""
        return self.figures.get("of_peak") or None if self.is_compute_bound else None

    @property
    def clock_mhz(self) -> Optional[float]:
        return self.figures["clock_mhz"]["median"] if "clock_mhz" in self.figures else None

    @property
    def of_copy(self) -> Optional[float]:
        return self.gb_s / self.copy_gb_s if self.gb_s and self.copy_gb_s else None


class Program:
    """One program with one block size: its report, by size."""

    def __init__(self, name: str, report: Dict[str, object]):
        self.name, self.report, self.label = name, report, label(name)
        parts = NAME.fullmatch(name)
        self.kind, self.stage, self.variant = parts[1], int(parts[2]), parts[3] or ""
        self.title: str = "" if self.variant else report["title"]
        self.problem: str = report["problem"]
        self.case: str = report.get("case", "")  # which of several inputs of one size: "--hits one"
        self.block_size: Size = report["block_size"]
        self.peers: List[str] = report.get("peers") or []
        self.copy_gb_s: float = report["copy_gb_s"]
        self.empty_launch_us: float = report["empty_launch_us"]
        self.points = {row["size"]: Point(row, self.copy_gb_s) for row in report["sizes"] if has_times(row)}

    @property
    def problems(self) -> List[str]:
        """Why some sizes have no times: one line for each, without the program's name."""
        rows = [row for row in self.report["sizes"] if not has_times(row)]
        return [f"size {sizes.text(row['size'])}: {row.get('skipped') or reason(row)}" for row in rows]

    @property
    def matches(self) -> bool:
        """A size that was skipped, for want of memory, is no mistake."""
        return all(row.get("matches", "skipped" in row) for row in self.report["sizes"])

    @property
    def first_peer(self) -> str:
        """What it is held against; empty: nothing."""
        return self.peers[0] if self.peers else ""

    @property
    def task(self) -> str:
        """What is computed, of what."""
        return f"{self.problem} {self.case}".rstrip()

    @property
    def order(self):
        return self.stage, bool(self.variant), self.variant, sizes.order(self.block_size)


class Bench:
    """The programs of one run, in course order."""

    def __init__(self, device: str, command: str, programs: Sequence[Program]):
        self.device, self.command = device, command
        self.programs = sorted(programs, key=lambda program: program.order)

    def families(self) -> List[List[Program]]:
        """Programs that compute the same."""
        kinds = dict.fromkeys(program.task for program in self.programs)
        return [[program for program in self.programs if program.task == task] for task in kinds]

    def find(self, name: str, block_size: Optional[Size] = None, case: Optional[str] = None) -> Optional[Program]:
        """The program of this name, preferably with this block size; None where there is none. It is the first of several cases,
        first, unless it is said which."""
        found = [program for program in self.programs if program.name == name and case in (None, program.case)]
        fitting = [program for program in found if program.block_size == block_size]
        return (fitting or found or [None])[0]

    def before(self, program: Program) -> Optional[Program]:
        """What a program is held against: the stage before it that computes the same, or a variant's own stage."""
        kinds, stage = ((program.kind,), program.stage - 1)
        if program.variant:
            kinds, stage = (("answer", "todo"), program.stage)
        for kind in kinds:
            found = self.find(f"{kind}-stage{stage:02}", program.block_size, program.case)
            if found is not None and found.problem == program.problem:
                return found
        return None

    def speedup(self, program: Program, size: Size) -> Optional[float]:
        """How many times as fast as the one before it, at this size."""
        before = self.before(program)
        if before is None or size not in before.points or size not in program.points:
            return None
        return before.points[size].time_us / program.points[size].time_us

    def as_json(self) -> Dict[str, object]:
        programs = [{"name": program.name, **program.report} for program in self.programs]
        return {"format": FORMAT, "command": self.command, "device": self.device, "programs": programs}


def sizes_of(programs: Sequence[Program]) -> List[Size]:
    return sizes.distinct(size for program in programs for size in program.points)


def first_peer_us(programs: Sequence[Program], size: Size) -> Optional[float]:
    """The library's time at one size: each program took it beside its own, so this is the median of those."""
    times = [program.points[size].peer_us() for program in programs if size in program.points]
    times = [time for time in times if time]
    return statistics.median(times) if times else None


def copy_gb_s(programs: Sequence[Program]) -> float:
    return statistics.median(program.copy_gb_s for program in programs)


def empty_launch_us(programs: Sequence[Program]) -> float:
    """A launch that does nothing: no time can be below it."""
    return statistics.median(program.empty_launch_us for program in programs)


def join_times(times: Sequence[Optional[Dict[str, float]]]) -> Optional[Dict[str, float]]:
    """Medians and quartiles: their medians over the rounds; the extremes are those of all rounds."""
    if not all(times):
        return None
    joined = {name: statistics.median(time[name] for time in times) for name in ("median", "q1", "q3")}
    return {**joined, "min": min(time["min"] for time in times), "max": max(time["max"] for time in times)}


def worst(values: Sequence[Optional[float]]) -> Optional[float]:
    return None if None in values else max(values)  # None: not a finite number


def join_peers(rows: Sequence[Dict[str, object]]) -> Dict[str, object]:
    """One peer in several rounds."""
    if "missing" in rows[0]:
        return rows[0]
    error = worst([row["error_u"] for row in rows])
    return {**rows[0], "time_us": join_times([row.get("time_us") for row in rows]), "error_u": error}


def join_rows(rows: Sequence[Dict[str, object]]) -> Dict[str, object]:
    """One size in several rounds."""
    joined = {**rows[0], "time_us": join_times([row["time_us"] for row in rows])}
    joined["peers"] = [join_peers(same) for same in zip(*(row.get("peers") or [] for row in rows))]
    joined["samples"] = sum(row["samples"] for row in rows)
    for name in ("error", "error_u"):
        joined[name] = worst([row[name] for row in rows])
    return joined


def join_rounds(reports: Sequence[Dict[str, object]]) -> Dict[str, object]:
    """One report from those of several runs of one program."""
    if len(reports) == 1:
        return reports[0]
    joined = {**reports[0], "rounds": len(reports)}
    for name in ("copy_gb_s", "empty_launch_us"):
        joined[name] = statistics.median(report[name] for report in reports)
    joined["sizes"] = []
    for same_size in zip(*(report["sizes"] for report in reports)):
        without = [row for row in same_size if not has_times(row)]
        joined["sizes"].append(without[0] if without else join_rows(same_size))
    return joined


def programs_of(name: str, report: Dict[str, object]) -> List[Program]:
    """One, or one for each case that its rows tell apart."""
    cases = dict.fromkeys(row.get("case", "") for row in report["sizes"])
    if len(cases) < 2:
        return [Program(name, report)]
    rows = {case: [row for row in report["sizes"] if row.get("case", "") == case] for case in cases}
    return [Program(name, {**report, "case": case, "sizes": rows[case]}) for case in cases]


def from_json(found: Dict[str, object]) -> Bench:
    programs = []
    for fields in found["programs"]:
        report = dict(fields)
        programs.append(Program(report.pop("name"), report))
    return Bench(found["device"], found["command"], programs)


def read(path: Path) -> Bench:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise WorkbookError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise WorkbookError(f"{path} is no JSON: {error}") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT or not found.get("programs"):
        raise WorkbookError(f"{path} holds no figures of scripts/workbook bench (format {FORMAT})")
    try:
        return from_json(found)
    except (KeyError, TypeError) as error:
        raise WorkbookError(f"{path} lacks figures: {error}") from error


def write(path: Path, bench: Bench) -> None:
    """One line a size, so that a difference can be read."""
    whole = bench.as_json()
    texts = []
    for program in whole.pop("programs"):
        rows = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in program.pop("sizes"))
        texts.append(f'{json.dumps(program, ensure_ascii=False)[:-1]}, "sizes": [\n{rows}\n ]}}')
    text = f'{json.dumps(whole, ensure_ascii=False)[:-1]}, "programs": [\n ' + ",\n ".join(texts) + "\n]}\n"
    try:
        files.write_atomically(path, text)
    except OSError as error:
        raise WorkbookError(f"cannot write {path}: {error.strerror}") from error
