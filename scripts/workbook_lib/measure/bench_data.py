# SPDX-License-Identifier: MIT
"""The figures of the benchmark programs (bin/bench-answer-stage07 and so on). Joins them over rounds, keeps them in a
file, and derives other figures. The fields of a program's report are those of common/workbook/bench/report.cpp."""

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
# The operations for each byte of memory above which arithmetic limits the time. A GPU of these years does 10 to 30 of
# them, in float, while a byte arrives.
COMPUTE_BOUND = 16
NAME = re.compile(r"(answer|todo|variant)-stage(\d\d)(?:-(.+))?")


def label(name: str) -> str:
    """The label "07 kahan" for variant-stage07-kahan."""
    parts = NAME.fullmatch(name)
    if not parts:
        raise WorkbookError(f"'{name}' is no program of a stage")
    return f"{parts[2]} {(parts[3] or '').replace('_', ' ')}".rstrip()


def has_times(row: Dict[str, object]) -> bool:
    """Whether there are times. The time of a wrong result does not count."""
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
        """The bytes that any solution must read and write."""
        return self.figures["work"]["bytes_read"] + self.figures["work"]["bytes_written"]

    @property
    def is_compute_bound(self) -> bool:
        return self.figures["work"]["operations"] > COMPUTE_BOUND * self.bytes

    def peer_times(self, number: int = 0) -> Optional[Dict[str, float]]:
        """The times of the library, or of another peer. None where it was not measured."""
        peers = self.figures.get("peers") or []
        return peers[number].get("time_us") if number < len(peers) else None

    def peer_us(self, number: int = 0) -> Optional[float]:
        return (self.peer_times(number) or {}).get("median")

    def over_peer(self, number: int = 0) -> Optional[float]:
        time = self.peer_us(number)
        return self.time_us / time if time else None

    @property
    def gb_s(self) -> Optional[float]:
        """The rate in GB/s. None where memory is not the limit."""
        return self.bytes / self.time_us / 1e3 if self.bytes and not self.is_compute_bound else None

    @property
    def rate_head(self) -> Optional[str]:
        """The head of the column for elements a second, where the unit has one."""
        return {"keys": "Gkey/s", "queries": "Gquery/s"}.get(self.figures["work"]["unit"])

    @property
    def billions_s(self) -> Optional[float]:
        """Elements a second, where the unit has such a rate."""
        return self.figures["work"]["elements"] / self.time_us / 1e3 if self.rate_head else None

    @property
    def gflop_s(self) -> Optional[float]:
        return self.figures["work"]["operations"] / self.time_us / 1e3 if self.is_compute_bound else None

    @property
    def of_peak(self) -> Optional[float]:
        """The share of the peak of all FP32 lanes, at the clock of the measurement. None where memory is the limit, or
        where the GPU's lanes are not known."""
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
        self.case: str = report.get("case", "")  # one of several inputs of one size: "--hits one"
        self.block_size: Size = report["block_size"]
        self.peers: List[str] = report.get("peers") or []
        self.copy_gb_s: float = report["copy_gb_s"]
        self.empty_launch_us: float = report["empty_launch_us"]
        self.points = {row["size"]: Point(row, self.copy_gb_s) for row in report["sizes"] if has_times(row)}

    @property
    def problems(self) -> List[str]:
        """The reasons why some sizes have no times: one line for each, without the program's name."""
        rows = [row for row in self.report["sizes"] if not has_times(row)]
        return [f"size {sizes.text(row['size'])}: {row.get('skipped') or reason(row)}" for row in rows]

    @property
    def matches(self) -> bool:
        """Whether all results match. A size that was skipped for lack of memory is no mistake."""
        return all(row.get("matches", "skipped" in row) for row in self.report["sizes"])

    @property
    def first_peer(self) -> str:
        """The first library that it is compared with. Empty: none."""
        return self.peers[0] if self.peers else ""

    @property
    def task(self) -> str:
        """The computation and its data."""
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
        """Groups of programs with the same computation."""
        kinds = dict.fromkeys(program.task for program in self.programs)
        return [[program for program in self.programs if program.task == task] for task in kinds]

    def find(self, name: str, block_size: Optional[Size] = None, case: Optional[str] = None) -> Optional[Program]:
        """The program of this name, preferably with this block size. None where there is none. Among several cases, the
        first, unless `which` names one."""
        found = [program for program in self.programs if program.name == name and case in (None, program.case)]
        fitting = [program for program in found if program.block_size == block_size]
        return (fitting or found or [None])[0]

    def before(self, program: Program) -> Optional[Program]:
        """The program for comparison: the stage before it with the same computation, or a variant's own stage."""
        kinds, stage = ((program.kind,), program.stage - 1)
        if program.variant:
            kinds, stage = (("answer", "todo"), program.stage)
        for kind in kinds:
            found = self.find(f"{kind}-stage{stage:02}", program.block_size, program.case)
            if found is not None and found.problem == program.problem:
                return found
        return None

    def speedup(self, program: Program, size: Size) -> Optional[float]:
        """The speedup over the program before it, at this size."""
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
    """The library's time at one size. Each program measured it beside its own, so this is the median."""
    times = [program.points[size].peer_us() for program in programs if size in program.points]
    times = [time for time in times if time]
    return statistics.median(times) if times else None


def copy_gb_s(programs: Sequence[Program]) -> float:
    return statistics.median(program.copy_gb_s for program in programs)


def empty_launch_us(programs: Sequence[Program]) -> float:
    """The time of an empty launch. No time can be below it."""
    return statistics.median(program.empty_launch_us for program in programs)


def join_times(times: Sequence[Optional[Dict[str, float]]]) -> Optional[Dict[str, float]]:
    """Joins medians and quartiles by their medians over the rounds. The extremes are those of all rounds."""
    if not all(times):
        return None
    joined = {name: statistics.median(time[name] for time in times) for name in ("median", "q1", "q3")}
    return {**joined, "min": min(time["min"] for time in times), "max": max(time["max"] for time in times)}


def worst(values: Sequence[Optional[float]]) -> Optional[float]:
    return None if None in values else max(values)  # None: not a finite number


def join_peers(rows: Sequence[Dict[str, object]]) -> Dict[str, object]:
    """Joins one peer over several rounds."""
    if "missing" in rows[0]:
        return rows[0]
    error = worst([row["error_u"] for row in rows])
    return {**rows[0], "time_us": join_times([row.get("time_us") for row in rows]), "error_u": error}


def join_rows(rows: Sequence[Dict[str, object]]) -> Dict[str, object]:
    """Joins one size over several rounds."""
    joined = {**rows[0], "time_us": join_times([row["time_us"] for row in rows])}
    joined["peers"] = [join_peers(same) for same in zip(*(row.get("peers") or [] for row in rows))]
    joined["samples"] = sum(row["samples"] for row in rows)
    for name in ("error", "error_u"):
        joined[name] = worst([row[name] for row in rows])
    return joined


def join_rounds(reports: Sequence[Dict[str, object]]) -> Dict[str, object]:
    """Joins the reports of several runs of one program."""
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
    """One program, or one for each case in its rows."""
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
    """Writes one line a size, so that a diff is readable."""
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


def answer_us(root: Path, gpu: str, stage: str, size: Optional[Size]) -> Optional[float]:
    """The measured time of our answer on this GPU. None: there is none."""
    file = root / "scripts" / "measured" / f"bench_{gpu}.json"
    program = read(file).find(f"answer-{stage}") if size is not None and file.is_file() else None
    point = program.points.get(size) if program else None
    return point.time_us if point else None
