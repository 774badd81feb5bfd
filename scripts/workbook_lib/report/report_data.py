# SPDX-License-Identifier: MIT
"""The content of scripts/workbook report, as plain data. It has the counters and records of each solved stage from a
run on the simulator. Beside them are those of our answer, and the times on a GPU."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from ..access import access_choice, access_steps, access_trace, line_profile
from ..access.access_choice import Accesses
from ..access.access_trace import Launch
from ..base import errors, sizes, version
from ..base.errors import WorkbookError
from ..course import tracks
from ..course.stages import Stage
from ..estimate import bars, estimate
from ..estimate import run as estimate_run
from ..estimate.estimate import Found
from ..estimate.parameters import Gpu
from ..judge import results
from ..judge import progress_file
from ..judge.counts import Counts, summarize
from ..judge.records import Records
from ..measure import bench_data, step_gain
from ..measure.bench_data import Bench, Program
from ..measure.bench_table import microseconds, ratio
from ..simulator import programs
from ..simulator.findings import short_path

TODO, ANSWER = "todo", "answer"
MOST_ELEMENTS, MOST_STEPS = 64, 12  # of a picture of steps
MOST_LISTED = 64  # of a table of steps
Data = Dict[str, object]


@dataclass(frozen=True)
class Recorded:
    """One run of a program."""

    counts: Counts
    counted: Dict[str, object]
    launches: List[Launch]
    report: Dict[str, object]  # the program's own

    @property
    def size(self) -> object:
        return self.report.get("size")

    @property
    def size_words(self) -> str:
        return f"{sizes.text(self.size)} {(self.report.get('work') or {}).get('unit', 'elements')}"


def record(stage: Stage, kind: str, build_folder: Path) -> Recorded:
    program = build_folder / "bin" / stage.program(kind)
    ending, launches = access_trace.record(program, build_folder / "simulator")
    if ending.status != errors.MATCHES:
        why = ending.error or ending.messages or programs.outcome(ending.status)
        raise WorkbookError(f"{stage.source(kind)}: {why}", 1)
    work = ending.report.get("work") or {}
    counts = summarize(ending.counted, work.get("elements") or 0)
    return Recorded(counts, ending.counted, launches, ending.report)


class Runs:
    """The runs that the report needs, each done once."""

    def __init__(self, build_folder: Path, show: Callable[[str], None]):
        self.build_folder, self.show = build_folder, show
        self.done: Dict[Tuple[str, str], Recorded] = {}

    def estimate(self, stage: Stage, kind: str, gpu: Gpu) -> Found:
        self.show(f"{stage.name}: {'your file' if kind == TODO else 'our answer'}, counting for an estimate")
        return estimate_run.of_program(self.build_folder / "bin" / stage.program(kind), [], self.build_folder / "simulator", gpu)

    def of(self, stage: Stage, kind: str) -> Recorded:
        key = (stage.name, kind)
        if key not in self.done:
            self.show(f"{stage.name}: {'your file' if kind == TODO else 'our answer'}")
            self.done[key] = record(stage, kind, self.build_folder)
        return self.done[key]


def gather(
    root: Path,
    listed: Sequence[Stage],
    records: Records,
    runs: Runs,
    answers: Sequence[Stage],
    bench: Bench,
    own: Optional[Bench],
    gpu: Optional[Gpu] = None,
) -> Data:
    """Collects the data. `gpu`: that of the estimates, where they were asked for. `answers`: stages with an answer that compiles. `bench`: the times of our answers; `own`: the
    student's."""
    solved = [stage for stage in listed if progress_file.is_solved(records, root, stage)]
    shown = []
    for stage in solved:
        before = listed[listed.index(stage) - 1] if stage is not listed[0] else None
        known = before in solved or before in answers
        shown.append(of_stage(root, stage, before if known else None, solved, answers, runs, records, bench, own))
        gain = step_gain.words(root, *step_gain.rows(root, listed, stage, records))
        shown[-1]["bought"] = gain
        if gpu is not None:
            whose = [kind for kind in (TODO, ANSWER) if kind == TODO or stage in answers]
            bench_us = bench_data.answer_us(root, gpu.name, stage.name, runs.of(stage, TODO).size)
            shown[-1]["estimates"] = estimates({kind: runs.estimate(stage, kind, gpu) for kind in whose}, gpu, bench_us)
    return {
        "version": version.read(),
        "stages_of_the_course": len(listed),
        "device_of_times": bench.device,
        "own_device": own.device if own else "",
        "tracks": [of_track(track, solved) for track in tracks.read_tracks(root)],
        "stages": shown,
        "ladders": [ladder(family) for family in families(bench, own, solved)],
    }


def of_track(track: tracks.Track, solved: Sequence[Stage]) -> Data:
    """A ladder: its stages in order, and what should come before it."""
    done = [stage for stage in track.stages if stage in solved]
    return {
        "title": track.title,
        "solved": len(done),
        "of": len(track.stages),
        "before": tracks.numbers(track.missing(solved)),
        "stages": [{"number": each.number, "title": each.title, "is_solved": each in done} for each in track.stages],
    }


def of_stage(
    root: Path,
    stage: Stage,
    before: Optional[Stage],
    solved: Sequence[Stage],
    answers: Sequence[Stage],
    runs: Runs,
    records: Records,
    bench: Bench,
    own: Optional[Bench],
) -> Data:
    mine = runs.of(stage, TODO)
    answer = runs.of(stage, ANSWER) if stage in answers else None
    earlier = None
    if before is not None:
        earlier = runs.of(before, TODO if before in solved else ANSWER)
    steps = access_steps.of_launches(mine.launches)
    found = records.get(f"todo {stage.name}", {})
    return {
        "number": stage.number,
        "title": stage.title,
        "file": str(stage.source(TODO)),
        "size": mine.size_words,
        "tried": found.get("tried", ""),
        "counters": counters(mine, answer),
        "times": times(stage, mine, bench, own),
        "pictures": pictures(root / stage.source(TODO), stage, mine, answer, before, earlier),
        "steps": steps_data(steps, root / stage.source(TODO)) if steps else None,
        "source": source(root / stage.source(TODO), mine),
        "estimates": [],
        "findings": [{"kind": kind, **fields} for kind, fields in found.get("met", {}).items()],
    }


def counters(mine: Recorded, answer: Optional[Recorded]) -> List[Data]:
    """One row for each counter, as in the tables of a terminal."""
    columns = results.counter_columns([mine.counts, answer.counts if answer else Counts()])
    return [
        {"name": " ".join(column.head), "yours": column.cells[0], "answer": column.cells[1]}
        for column in columns
        if set(column.cells) != {"-"}
    ]


def times(stage: Stage, mine: Recorded, bench: Bench, own: Optional[Bench]) -> Data:
    """The times at the size of the run, in words; "-": not measured."""
    program = bench.find(f"answer-{stage.name}")
    point = program.points.get(mine.size) if program else None
    own_program = own.find(f"todo-{stage.name}") if own else None
    own_point = own_program.points.get(mine.size) if own_program else None
    library = point.peer_us() if point else None
    return {
        "yours": microseconds(own_point.time_us if own_point else None),
        "answer": microseconds(point.time_us if point else None),
        "library": microseconds(library),
        "library_name": program.first_peer if program and library else "",
        "speedup": ratio(bench.speedup(program, mine.size) if program else None),
    }


def estimates(found: Dict[str, Found], gpu: Gpu, measured_us: Optional[float]) -> List[Data]:
    """A bar for each program, with its words, and one for the measured time of our answer."""
    names = {TODO: "yours, estimated", ANSWER: "our answer, estimated"}
    rows = [
        {
            "name": names[kind],
            "words": estimate.words(each, gpu),
            "low": each.range.low_us if bars.has_time(each) else 0.0,
            "high": each.range.high_us if bars.has_time(each) else 0.0,
        }
        for kind, each in found.items()
    ]
    if measured_us:
        words = f"{estimate.digits(measured_us)} µs"
        rows.append({"name": "our answer, measured", "words": words, "low": measured_us, "high": measured_us})
    most = max(row["high"] for row in rows) or 1.0
    return [{**row, "low": round(100 * row["low"] / most, 1), "high": round(100 * row["high"] / most, 1)} for row in rows]


def pictures(
    file: Path,
    stage: Stage,
    mine: Recorded,
    answer: Optional[Recorded],
    before: Optional[Stage],
    earlier: Optional[Recorded],
) -> List[Data]:
    """Pictures of the most wasteful access of the stage before, and of the same access now. Otherwise, of the most
    wasteful line here. Our answer's is beside them, where it looks different."""
    listed = access_choice.by_line(mine.launches)
    if not listed:
        return []
    shown: List[Tuple[str, Accesses]] = []
    chosen = max(access_choice.choose(listed, file, None), key=lambda each: each.wasted_bytes)
    is_alike = earlier is not None and earlier.report.get("problem") == mine.report.get("problem")
    old = access_choice.by_line(earlier.launches) if is_alike else []
    worst = max(old, key=lambda each: each.wasted_bytes, default=None)
    if worst is not None and worst.wasted_bytes:
        after = access_choice.counterpart(worst, listed)
        if after is not None:
            shown.append((f"before, in stage {before.number}", worst))
            chosen = after
    shown.append((f"stage {stage.number}", chosen))
    drawn = [picture(whose, each) for whose, each in shown]
    ours = access_choice.counterpart(chosen, access_choice.by_line(answer.launches)) if answer else None
    if ours is not None:
        beside = picture("our answer", ours)
        if (beside["rows"], beside["places"]) != (drawn[-1]["rows"], drawn[-1]["places"]):
            drawn.append(beside)
    return drawn


def picture(whose: str, accesses: Accesses) -> Data:
    made = accesses.picture(0)
    return {"whose": whose, "code": accesses.text, "sentence": made.sentence, **made.as_json()}


def steps_data(steps: access_steps.Steps, source: Path) -> Data:
    """The threads of each step, with the first elements that each reads and writes. Shuffles show only the first warp."""
    shown = min(steps.elements, MOST_ELEMENTS if steps.array else 32)
    return {
        "array": steps.array,
        "elements": steps.elements,
        "shown": shown,
        "count": len(steps.steps),
        "drawn": min(len(steps.steps), MOST_STEPS),
        "steps": [
            {
                "line": access_trace.place_text(step.chain, source),
                "is_shuffle": step.is_shuffle,
                "threads": len(step.updates),
                "warps": step.warps,
                "words": step.words,
                "updates": [
                    [sorted(set(update.reads)), sorted(set(update.writes))]
                    for update in step.updates
                    if update.touched[0] < shown
                ],
            }
            for step in steps.steps[:MOST_LISTED]
        ],
    }


def source(file: Path, mine: Recorded) -> Optional[Data]:
    """The executed lines of the student's own file."""
    files, whole, _ = line_profile.by_file(mine.counted)
    lines: Dict[int, Dict[str, int]] = {}
    for (path, _), found in files.items():
        for number, counted in found.items() if path == file else ():
            line_profile.add(lines.setdefault(number, {}), counted)
    if not lines:
        return None
    columns, rows = line_profile.source_rows(file, lines, whole)
    return {
        "file": short_path(str(file)),
        "columns": [" ".join(filter(None, column.head)) for column in columns],
        "rows": [{"line": row.number, "cells": row.cells, "worst": row.is_worst, "code": row.code} for row in rows],
    }


def families(bench: Bench, own: Optional[Bench], solved: Sequence[Stage]) -> List[List[Program]]:
    """The groups of one plot: our answers of the solved stages with the same computation, and the student's."""
    numbers = {stage.number for stage in solved}
    chosen = []
    for family in bench.families():
        mine = [program for program in (own.programs if own else []) if program.problem == family[0].problem]
        kept = [each for each in [*family, *mine] if each.stage in numbers and not each.variant and each.points]
        if kept:
            chosen.append(kept)
    return chosen


def ladder(family: Sequence[Program]) -> Data:
    shown = bench_data.sizes_of(family)
    rows = [
        {
            "label": series_name(program),
            "times": [microseconds(program.points[size].time_us if size in program.points else None) for size in shown],
        }
        for program in family
    ]
    library = [bench_data.first_peer_us(family, size) for size in shown]
    if any(library):
        rows.append({"label": family[0].first_peer, "times": [microseconds(time) for time in library]})
    return {"problem": family[0].problem, "sizes": [sizes.power(size) for size in shown], "rows": rows}


def series_name(program: Program) -> str:
    return f"{'your ' if program.kind == 'todo' else ''}{program.label} {program.title}".rstrip()
