# SPDX-License-Identifier: MIT
"""answers/equivalent_mutants.json: survivors that are no holes, each with the reason. An entry stands for one change (operator
and fingerprint) in all the stages that it names. `outcome` is "equivalent": the program is right for every input. Or it is
"out of reach": the program is wrong only for inputs that do not fit on the simulator, or where accesses of a thread overtake
each other."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, Iterable, List, Sequence

from mutants import Mutant
from outcomes import EQUIVALENT, KILLED, OUT_OF_REACH, SAME_CODE, SLOWER, SURVIVED, Outcome

FILE = Path(__file__).resolve().parents[3] / "answers/equivalent_mutants.json"


@dataclass(frozen=True)
class Explanation:
    outcome: str
    reason: str


def read(file: Path = FILE) -> Dict[str, Explanation]:
    """By the mutant's name."""
    found: Dict[str, Explanation] = {}
    for entry in json.loads(file.read_text(encoding="utf-8")):
        if entry["outcome"] not in (EQUIVALENT, OUT_OF_REACH):
            raise ValueError(f"{file.name}: {entry['change']}: '{entry['outcome']}' is no outcome of an explanation")
        for stage in entry["stages"]:
            found[f"{stage}:{entry['change']}"] = Explanation(entry["outcome"], entry["reason"])
    return found


def apply(explanations: Dict[str, Explanation], outcomes: Iterable[Outcome]) -> List[Outcome]:
    """What was not told, or is the same code, and has an explanation, gets its outcome."""
    result = []
    for outcome in outcomes:
        explanation = explanations.get(outcome.mutant.name)
        if explanation and outcome.kind in (SURVIVED, SLOWER, SAME_CODE):
            outcome = Outcome(outcome.mutant, explanation.outcome, explanation.reason)
        result.append(outcome)
    return result


def refuted(explanations: Dict[str, Explanation], outcomes: Iterable[Outcome]) -> List[str]:
    """A sentence for each mutant that is explained, and was killed all the same."""
    return [
        f"equivalent_mutants.json calls {outcome.mutant.name} {explanations[outcome.mutant.name].outcome}, and it was killed: "
        f"{outcome.detail}, {outcome.case}"
        for outcome in outcomes
        if outcome.kind == KILLED and outcome.mutant.name in explanations
    ]


def stale(explanations: Dict[str, Explanation], mutants: Iterable[Mutant], stages: Sequence[str]) -> List[str]:
    """A sentence for each explanation, in these stages, of a mutant that there is not any more."""
    known = {mutant.name for mutant in mutants}
    return [
        f"equivalent_mutants.json explains {name}, and there is no such mutant any more"
        for name in explanations
        if name.split(":")[0] in stages and name not in known
    ]
