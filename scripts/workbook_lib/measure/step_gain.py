# SPDX-License-Identifier: MIT
"""What the step of a stage gains: its row of the table beside that of the stage before. That row is the student's own where
there is one. Else it is our answer's, as it was counted for the lessons (scripts/measured)."""

from __future__ import annotations

import functools
import json
from dataclasses import replace
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple

from ..base import errors, text_table
from ..base.text_table import Column
from ..course.stages import Stage
from ..judge import expected_counters, progress_file, results
from ..judge.counts import Counts, summarize
from ..judge.records import Records
from ..judge.verdict import Verdict
from . import bench_data
from .bench_table import microseconds, ratio

FELL_TO = 0.9  # above that part of its old value, a counter has not fallen
SHOWN = 2
RULE_OF = {"sectors_per_element": "global_load_sectors", "store_sectors_per_request": "global_store_sectors"}
COUNTERS = (  # where fewer are better
    ("sectors_per_element", ",.3g", "sectors loaded an element"),
    ("store_sectors_per_request", ",.3g", "sectors a store request"),
    ("bank_conflicts", ",d", "bank conflicts"),
    ("atomic_requests", ",d", "atomic requests"),
    ("barriers_per_block", ",.4g", "barriers a block"),
    ("warp_instructions_per_element", ",.3g", "warp instructions an element"),
    ("launches", ",d", "launches"),
)


def rows(root: Path, listed: Sequence[Stage], stage: Stage, records: Records) -> Tuple[Optional[Verdict], Optional[Verdict]]:
    """The rows of the stage before and of this one, at the same size of the same work. None: no comparison is possible."""
    row = progress_file.row(records, root, stage)
    return (row_before(root, listed, stage, row, records) if row else None), row


def row_before(
    root: Path, listed: Sequence[Stage], stage: Stage, row: Verdict, records: Records
) -> Optional[Verdict]:
    """The row of the stage before, where it is the same work at the same size."""
    index = listed.index(stage)
    if index == 0:
        return None
    last = listed[index - 1]
    before = progress_file.row(records, root, last) or answer(root, last)
    is_alike = before is not None and (before.size, before.work) == (row.size, row.work)
    return before if is_alike and (before.problem or row.problem) == row.problem else None


def solved(root: Path, listed: Sequence[Stage], found: Sequence[Verdict], records: Records) -> List[str]:
    """A line for each solved stage: that it is solved, and what its step bought."""
    by_name = {stage.name: stage for stage in listed}
    lines = []
    for row in found:
        if row.is_solved:
            gain = words(root, row_before(root, listed, by_name[row.stage], row, records), row)
            lines.append(f"Stage {by_name[row.stage].number} is solved." + (f" The step bought: {gain}." if gain else ""))
    return lines


def answer(root: Path, stage: Stage) -> Optional[Verdict]:
    measured = figures(root).get(stage.name)
    if not measured:
        return None
    launches = [{"grid": each["grid"], "block": each["block"], "counters": each} for each in measured["simulator"]]
    counts = summarize({"kernels": launches, "launches": launches}, measured["work"]["elements"])
    row = Verdict(stage.name, stage.title, errors.MATCHES, "our answer", counts=counts)
    return replace(row, size=measured["size"], work=measured["work"])


@functools.lru_cache(maxsize=None)
def figures(root: Path) -> Dict[str, Dict]:
    try:
        return json.loads((root / "scripts/measured/h200.json").read_text(encoding="utf-8"))["stages"]
    except OSError:
        return {}


def words(root: Path, before: Optional[Verdict], row: Optional[Verdict]) -> str:
    """Example: "1.85 to 0.125 sectors loaded an element", for the largest decrease. Empty where no counter has fallen. What
    the given code of the stage decides does not count."""
    if before is None or row is None:
        return ""
    given = {rule.counter for rule in expected_counters.read_rules(root, row.stage) if rule.given}
    old, new = before.counts or Counts(), row.counts or Counts()
    fallen = []
    for name, form, text in COUNTERS:
        was, now = getattr(old, name), getattr(new, name)
        if RULE_OF.get(name, name) in given:
            continue
        if was and now is not None and now <= FELL_TO * was:
            fallen.append((now / was, f"{text_table.number(was, form)} to {text_table.number(now, form)} {text}"))
    return ", ".join(text for _, text in sorted(fallen)[:SHOWN])


def text(root: Path, listed: Sequence[Stage], stage: Stage, records: Records) -> List[str]:
    """Lines for a student after a stage is solved."""
    before, row = rows(root, listed, stage, records)
    if row is None:
        return []
    shown = table([each for each in (before, row) if each], stage).splitlines()
    gain = words(root, before, row)
    return [*shown, *([f"The step bought: {gain}"] if gain else []), *on_a_gpu(root, row)]


def table(rows: Sequence[Verdict], stage: Stage) -> str:
    """A column for each row of the usual table, which is wider than many terminals."""
    counted = results.counter_columns([row.counts or Counts() for row in rows])
    columns = [Column(("",), [" ".join(column.head) for column in counted], words=True)]
    for index, row in enumerate(rows):
        whose = "yours" if row.outcome == "yes" else row.outcome
        columns.append(Column((f"stage {row.stage[-2:]}", whose), [column.cells[index] for column in counted]))
    return text_table.lay_out(columns)


def on_a_gpu(root: Path, row: Verdict) -> List[str]:
    """The speedup of our answers by this step, where it was measured."""
    try:
        bench = bench_data.read(root / "scripts/measured/bench_h200.json")
    except (errors.WorkbookError, OSError):
        return []
    program = bench.find(f"answer-{row.stage}")
    gain = bench.speedup(program, row.size) if program else None
    if gain is None:
        return []
    times = [microseconds(each.points[row.size].time_us) for each in (bench.before(program), program)]
    taken = f"our answers of these two stages take {times[0]} and {times[1]} µs"
    return [f"On an {bench.device} {taken}: {ratio(gain)} × as fast"]
