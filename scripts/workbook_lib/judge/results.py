# SPDX-License-Identifier: MIT
"""What a run of a stage's program came to, and the table of such rows."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Dict, List, Optional, Sequence

from ..base import errors, sizes, text_table
from ..base.markdown import stage_list
from ..base.sizes import Size
from ..base.text_table import Column, number
from ..course.stages import Stage
from ..simulator.findings import Finding
from . import symptom
from .expected_counters import Figure, count_warps
from .verdict import Verdict

NOT_COMPILED = "does not compile"
SCHEMA, FORMAT = "verdict.schema.json", 1  # of common/workbook: what as_json() gives is its `row`
FIGURES = (  # of a row, by their names in a program's report
    *("problem", "device", "simulated", "size", "seed", "block_size", "work"),
    *("relative_error", "time_ms", "time_kind"),
)


@dataclass
class Counts:
    """The simulator's counters of one run, as the table shows them. None: the run had nothing to count."""

    sectors_per_request: Optional[float] = None
    bank_conflicts: Optional[int] = None
    barriers_per_block: Optional[float] = None
    warp_instructions_per_element: Optional[float] = None
    sectors_per_element: Optional[float] = None
    launches: Optional[int] = None
    store_sectors_per_request: Optional[float] = None
    atomic_requests: Optional[int] = None


@dataclass
class Result:
    """One row of the table."""

    stage: str
    title: str
    status: int
    outcome: str
    relative_error: Optional[float] = None
    time_ms: Optional[float] = None
    time_kind: Optional[str] = None
    device: Optional[str] = None
    simulated: Optional[bool] = None
    problem: Optional[str] = None  # what is computed, in one word
    size: Optional[Size] = None
    seed: Optional[int] = None
    block_size: Optional[Size] = None
    work: Optional[Dict[str, object]] = None  # what the computation has to do
    counts: Optional[Counts] = None
    error: str = ""  # why it is no pass
    lead: str = ""  # of a wrong result: what was found out about it, in lines
    is_checked: bool = False  # whether every check has looked at it
    messages: str = ""  # what the program wrote to standard error
    findings: List[Finding] = field(default_factory=list)  # of the simulator, one for each mistake
    step: List[Figure] = field(default_factory=list)  # of a verdict: what the counters show of the stage's idea
    tried: str = ""  # what was tried besides the run of the figures: "71 cases in three orders, all checks"
    symptom: Dict[str, str] = field(default_factory=dict)  # how the failure looks (symptom.py)
    replay: str = ""  # the command that shows the failure again

    @property
    def is_solved(self) -> bool:
        """Of a verdict: right, and by the stage's own step."""
        return self.status == errors.MATCHES and all(figure.holds for figure in self.step)

    def figures(self) -> Dict[str, object]:
        """What of the row can be compared with another."""
        return {name: value for name, value in asdict(self).items() if name in (*FIGURES, "counts")}

    def as_json(self) -> Dict[str, object]:
        return asdict(self)


def summarize(report: Dict[str, object], elements: float) -> Counts:
    """The table's figures from a simulator report (CUDASIM_REPORT): sums over all kernels, but barriers of the largest
    launch."""
    kernels, launches = report.get("kernels") or [], report.get("launches") or []
    if not kernels or not launches:
        return Counts()

    def total(counter: str) -> int:
        return sum(kernel["counters"][counter] for kernel in kernels)

    largest = max(launches, key=count_warps)
    def sectors_per_request(access: str) -> Optional[float]:
        requests = total(f"global_{access}_requests")
        return total(f"global_{access}_sectors") / requests if requests else None

    return Counts(
        sectors_per_request=sectors_per_request("load"),
        store_sectors_per_request=sectors_per_request("store"),
        bank_conflicts=total("shared_bank_conflicts"),
        # A barrier is counted once for each warp that executes it.
        barriers_per_block=largest["counters"]["barriers"] / count_warps(largest) if count_warps(largest) else None,
        warp_instructions_per_element=total("warp_instructions") / elements if elements else None,
        sectors_per_element=total("global_load_sectors") / elements if elements else None,
        atomic_requests=total("atomic_requests"),
        launches=len(launches) + report.get("launches_left_out", 0),
    )


def result(stage: Stage, verdict: Verdict) -> Result:
    """The row of one run."""
    report, counted = verdict.ending.report, verdict.ending.counted
    # Counters of a kernel that was stopped half way would mislead.
    whole = verdict.ending.status in (errors.MATCHES, errors.DOES_NOT_MATCH)
    work = report.get("work") or {}
    return Result(
        stage.name,
        stage.title,
        verdict.status,
        verdict.outcome,
        **{name: report.get(name) for name in FIGURES},
        counts=summarize(counted, work.get("elements") or 0) if counted and whole else None,
        error=f"{verdict.where}: {verdict.error}" if verdict.where else verdict.error,
        lead=verdict.lead,
        is_checked=verdict.is_checked,
        messages=verdict.ending.messages,
        findings=verdict.findings,
        tried=verdict.tried,
        symptom=symptom.of_verdict(verdict),
    )


def headline(results: Sequence[Result], what: str) -> str:
    """What the table is about, with those settings that all rows share; the table has columns for the others."""
    shown, blocks = (sizes.distinct(values) for values in ((row.size for row in results), (row.block_size for row in results)))
    units = {row.work["unit"] for row in results if row.work}
    unit = units.pop() if len(units) == 1 else "elements"
    parts = [f"{sizes.text(shown[0])} {unit}"] if len(shown) == 1 else []
    parts += [f"{sizes.text(blocks[0])} threads a block"] if len(blocks) == 1 else []
    return f"{', '.join(parts)}: {what}" if parts else what[0].upper() + what[1:]


def tried(results: Sequence[Result]) -> str:
    """ "Tried: 71 cases in three orders, all checks (stages 01 to 03)": of the rows that match."""
    by_words: Dict[str, List[int]] = {}
    for row in results:
        if row.status == errors.MATCHES and row.tried:
            by_words.setdefault(row.tried, []).append(int(row.stage[len("stage") :]))
    return "\n".join(f"Tried: {words} ({stage_list(numbers)})" for words, numbers in by_words.items())


def table(results: Sequence[Result], device: str) -> str:
    """All rows, under a head that names the time for what it is."""
    return text_table.lay_out(columns(results, device))


def upright(results: Sequence[Result], device: str) -> str:
    """A column for each row of the table, by its title: the table is wider than many terminals."""
    _, titles, *others = columns(results, device)
    heads = Column(("",), [" ".join(column.head) for column in others], words=True)
    return text_table.lay_out(
        [heads, *(Column((title,), [column.cells[index] for column in others]) for index, title in enumerate(titles.cells))]
    )


def columns(results: Sequence[Result], device: str) -> List[Column]:
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


def shown_error(row: Result) -> Optional[float]:
    """Nothing beside a NO that has another reason."""
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


def exit_status(results: Sequence[Result]) -> int:
    """0 only if all match; else the gravest: wrong usage, then errors, then a wrong or missing result."""
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
