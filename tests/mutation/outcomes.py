# SPDX-License-Identifier: MIT
"""What became of a mutant, and the tables of it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Dict, Iterable, List, Mapping, Optional, Sequence

from default_verdict import ROOT  # noqa: F401 - the import path
from mutants import Mutant
from workbook_lib import markdown

KILLED, SURVIVED, SLOWER, SAME_CODE, NO_PROGRAM = "killed", "survived", "slower", "same code", "does not compile"
EQUIVALENT = "equivalent"

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
    detail: str = ""  # what killed it, what it costs, or the compiler's words
    reason: str = ""  # in words

    def as_json(self) -> Dict[str, object]:
        mutant = {**asdict(self.mutant), "name": self.mutant.name}
        del mutant["source"]
        return {**mutant, "outcome": self.kind, "detail": self.detail, "reason": self.reason}


def cost(answer: Mapping[str, int], mutant: Mapping[str, int]) -> Optional[str]:
    """ "global_load_sectors 4 -> 32", for the first cost that has grown; None: none has."""
    for name in COSTS:
        before, after = answer.get(name, 0), mutant.get(name, 0)
        if after > before * LEAST_GROWTH:
            return f"{name} {before} -> {after}"
    return None


def part_of_verdict(outcome: Outcome) -> str:
    """The column of the table: checks by kind, orders together."""
    return re.sub(r"^order: .*", "another order", outcome.detail)


def summary(outcomes: Sequence[Outcome]) -> List[List[str]]:
    """A row a stage, and one for all."""
    stages = sorted({outcome.mutant.stage for outcome in outcomes})
    head = ["stage", "mutants", "killed by a wrong result", "by a check", "by another order", "by an error"]
    head += ["slower", EQUIVALENT, "survivors", "(same code)", "(do not compile)"]
    rows = [row(stage, [o for o in outcomes if o.mutant.stage == stage]) for stage in stages]
    return [head, *rows, row("all", outcomes)]


def row(name: str, outcomes: Sequence[Outcome]) -> List[str]:
    kinds = Counter(outcome.kind for outcome in outcomes)
    parts = Counter(part_of_verdict(outcome).split(":")[0] for outcome in outcomes if outcome.kind == KILLED)
    real = len(outcomes) - kinds[SAME_CODE] - kinds[NO_PROGRAM]
    counts = [real, *(parts[part] for part in ("wrong result", "check", "another order", "error"))]
    counts += [kinds[kind] for kind in (SLOWER, EQUIVALENT, SURVIVED, SAME_CODE, NO_PROGRAM)]
    return [name, *map(str, counts)]


def parts_table(outcomes: Iterable[Outcome]) -> str:
    parts = Counter(part_of_verdict(outcome) for outcome in outcomes if outcome.kind == KILLED)
    rows = [[part, str(count)] for part, count in sorted(parts.items(), key=lambda item: (-item[1], item[0]))]
    return markdown.table([["told by", "mutants"], *rows])
