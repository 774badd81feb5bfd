# SPDX-License-Identifier: MIT
"""The table of verdicts, with a row for each."""

from __future__ import annotations

from dataclasses import replace
from typing import Dict, List, Optional, Sequence

from ..base import errors, sizes, text_table
from ..base.markdown import stage_list
from ..base.text_table import Column, number
from ..course.stages import Stage
from . import symptom
from .counts import Counts, summarize
from .verdict import FIGURES, Verdict

NOT_COMPILED = "does not compile"


def row(stage: Stage, verdict: Verdict) -> Verdict:
    """The verdict with the table's data: its stage, and the figures of the decisive run."""
    report, counted = verdict.ending.report, verdict.ending.counted
    # Counters of a kernel that was stopped half way would be misleading.
    whole = verdict.ending.status in (errors.MATCHES, errors.DOES_NOT_MATCH)
    work = report.get("work") or {}
    return replace(
        verdict,
        stage=stage.name,
        title=stage.title,
        **{name: report.get(name) for name in FIGURES},
        counts=summarize(counted, work.get("elements") or 0) if counted and whole else None,
        messages=verdict.ending.messages,
        symptom=symptom.of_verdict(verdict),
    )


def headline(results: Sequence[Verdict], what: str) -> str:
    """The subject of the table, and the settings that all rows share. The table has columns for the others."""
    shown, blocks = (sizes.distinct(values) for values in ((row.size for row in results), (row.block_size for row in results)))
    units = {row.work["unit"] for row in results if row.work}
    unit = units.pop() if len(units) == 1 else "elements"
    parts = [f"{sizes.text(shown[0])} {unit}"] if len(shown) == 1 else []
    parts += [f"{sizes.text(blocks[0])} threads a block"] if len(blocks) == 1 else []
    return f"{', '.join(parts)}: {what}" if parts else what[0].upper() + what[1:]


def tried(results: Sequence[Verdict]) -> str:
    """The text "Tried: 71 cases in three orders, all checks (stages 01 to 03)" for the rows that match."""
    by_words: Dict[str, List[int]] = {}
    for row in results:
        if row.status == errors.MATCHES and row.tried:
            by_words.setdefault(row.tried, []).append(int(row.stage[len("stage") :]))
    return "\n".join(f"Tried: {words} ({stage_list(numbers)})" for words, numbers in by_words.items())


def table(results: Sequence[Verdict], device: str) -> str:
    """All rows, under a head that names the kind of time."""
    return text_table.lay_out(columns(results, device))


def upright(results: Sequence[Verdict], device: str) -> str:
    """A column for each row of the table, by its title, because the table is wider than many terminals."""
    _, titles, *others = columns(results, device)
    heads = Column(("",), [" ".join(column.head) for column in others], words=True)
    return text_table.lay_out(
        [heads, *(Column((title,), [column.cells[index] for column in others]) for index, title in enumerate(titles.cells))]
    )


def columns(results: Sequence[Verdict], device: str) -> List[Column]:
    time_head = ("simulation", "time (host)") if device == "simulator" else ("GPU", "time")
    counts = [row.counts or Counts() for row in results]
    found: List[Column] = [
        Column(("stage",), [row.stage[-2:] for row in results], words=True),
        Column(("idea",), [row.title for row in results], words=True),
        Column(("matches",), [row.outcome for row in results], words=True),
    ]
    if len(sizes.distinct(row.size for row in results)) > 1:
        found.append(Column(("size",), [sizes.text(row.size) for row in results]))
    if len(sizes.distinct(row.block_size for row in results)) > 1:
        found.append(Column(("threads", "a block"), [sizes.text(row.block_size) for row in results]))
    found += [
        Column(("relative", "error"), [number(shown_error(row), ".1e") for row in results]),
        Column((*time_head, "ms"), [number(row.time_ms, ",.3f") for row in results]),
        *counter_columns(counts),
    ]
    return found


def shown_error(row: Verdict) -> Optional[float]:
    """The error. Empty beside a NO with another reason."""
    return row.relative_error if row.status == errors.MATCHES or row.relative_error else None


def counter_columns(counts: Sequence[Counts]) -> List[Column]:
    atomics = [number(row.atomic_requests, ",d") for row in counts]
    has_atomics = any(row.atomic_requests for row in counts)
    return [
        Column(("sectors", "a load", "request"), [number(row.sectors_per_request, ".2f") for row in counts]),
        Column(("sectors", "a store", "request"), [number(row.store_sectors_per_request, ".2f") for row in counts]),
        Column(("shared", "bank", "conflicts"), [number(row.bank_conflicts, ",d") for row in counts]),
        *([Column(("atomic", "requests"), atomics)] if has_atomics else []),
        Column(("barriers", "a block"), [number(row.barriers_per_block, ".4g") for row in counts]),
        Column(
            ("warp", "instructions", "an element"),
            [number(row.warp_instructions_per_element, ".3f") for row in counts],
        ),
    ]


def exit_status(results: Sequence[Verdict]) -> int:
    """The exit status: 0 only if all match, else the most serious. Wrong usage comes first, then errors, then a wrong
    or missing result."""
    statuses = {result.status for result in results}
    if statuses <= {errors.MATCHES}:
        return 0
    if errors.USAGE in statuses:
        return errors.USAGE
    return (
        errors.CUDA_ERROR
        if statuses - {errors.MATCHES, errors.DOES_NOT_MATCH, errors.UNSOLVED}
        else errors.DOES_NOT_MATCH
    )
