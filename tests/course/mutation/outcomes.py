# SPDX-License-Identifier: MIT
"""What became of a mutant, and the tables of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Dict, Iterable, List, Mapping, Optional, Sequence

from default_verdict import ROOT  # noqa: F401 - the import path
from mutants import Mutant
from workbook_lib.base import markdown

KILLED, SURVIVED, SLOWER = "killed", "survived", "slower"
EQUIVALENT, OUT_OF_REACH = "equivalent", "out of reach"
SAME_CODE, NO_PROGRAM = "same code", "does not compile"

# The first of these that has grown is named. Instructions come last: they grow with everything else.
COSTS = (
    "launches",
    "blocks",
    "threads",
    "global_load_sectors",
    "global_store_sectors",
    "atomic_requests",
    "global_reduction_sectors",
    "shared_bank_conflicts",
    "shared_wavefronts",
    "barriers",
    "divergent_branches",
    "warp_instructions",
)
LEAST_GROWTH = 1.05  # below it a count has moved, but nobody would call the program slower


@dataclass(frozen=True)
class Outcome:
    mutant: Mutant
    kind: str
    detail: str = ""  # what killed it, what it costs, why it is equivalent, or the compiler's words
    case: str = ""  # in which it was killed

    def as_json(self) -> Dict[str, object]:
        return {"line": self.mutant.line, "outcome": self.kind, "detail": self.detail}


def cost(answer: Mapping[str, int], mutant: Mapping[str, int]) -> Optional[str]:
    """ "global_load_sectors 4 -> 32", for the first cost that has grown; None: none has."""
    for name in COSTS:
        before, after = answer.get(name, 0), mutant.get(name, 0)
        if after > before * LEAST_GROWTH:
            return f"{name} {before} -> {after}"
    return None


PARTS = ("wrong result", "check", "order", "error")  # how details of what was killed begin


def table(outcomes: Sequence[Outcome]) -> List[List[str]]:
    """A row a stage, and one for all."""
    head = ["stage", "mutants", "killed: wrong result", "a check", "another order", "an error"]
    head += [SLOWER, EQUIVALENT, OUT_OF_REACH, SURVIVED, f"({SAME_CODE})", f"({NO_PROGRAM})"]
    stages = sorted({outcome.mutant.stage for outcome in outcomes})
    rows = [row(stage, [outcome for outcome in outcomes if outcome.mutant.stage == stage]) for stage in stages]
    return [head, *rows, row("all", outcomes)]


def row(name: str, outcomes: Sequence[Outcome]) -> List[str]:
    kinds = Counter(outcome.kind for outcome in outcomes)
    parts = Counter(outcome.detail.split(":")[0] for outcome in outcomes if outcome.kind == KILLED)
    programs = len(outcomes) - kinds[SAME_CODE] - kinds[NO_PROGRAM]
    counts = [programs, *(parts[part] for part in PARTS)]
    counts += [kinds[kind] for kind in (SLOWER, EQUIVALENT, OUT_OF_REACH, SURVIVED, SAME_CODE, NO_PROGRAM)]
    return [name, *map(str, counts)]


def parts_table(outcomes: Iterable[Outcome]) -> List[List[str]]:
    """What told the killed ones, the most frequent first."""
    parts = Counter(outcome.detail for outcome in outcomes if outcome.kind == KILLED)
    return [["told by", "mutants"], *([part, str(count)] for part, count in parts.most_common())]


def listed(outcomes: Iterable[Outcome], kind: str) -> List[str]:
    """Each mutant of this outcome, with its change."""
    return [
        f"{outcome.mutant.name}, line {outcome.mutant.line}"
        + (f": {outcome.detail}" if outcome.detail else "")
        + f"\n{outcome.mutant.diff}"
        for outcome in outcomes
        if outcome.kind == kind
    ]


def as_markdown(outcomes: Sequence[Outcome]) -> str:
    """The generated part of README.md. Which mutants they are is in table.json: a change shows a line of an answer."""
    return "\n\n".join(markdown.table(rows) for rows in (table(outcomes), parts_table(outcomes)))
