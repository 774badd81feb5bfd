# SPDX-License-Identifier: MIT
"""Mutants: an answer with one change, and the choice of some of all that there are."""

from __future__ import annotations

import hashlib
import itertools
import random
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Dict, List, Sequence, Set

from code_text import Code, Edit
from mutation_operators import OPERATORS


@dataclass(frozen=True)
class Mutant:
    stage: str  # stage03
    operator: str
    line: int  # where the change begins; for people, not part of the name
    source: str
    diff: str  # the changed lines
    is_of_solution: bool  # in a part of the file that the student writes
    fingerprint: str

    @property
    def name(self) -> str:
        """Survives changes of other lines: stage, operator, and a hash of the changed lines' code. The same change in
        another stage has the same hash."""
        return f"{self.stage}:{self.operator}:{self.fingerprint}"


def mutants_of(stage: str, source: str) -> List[Mutant]:
    """All of them, in the order of the operators; of equal texts the first one."""
    code = Code(source)
    inside = solution_lines(source)
    found: List[Mutant] = []
    known = {source}
    times_seen: Counter = Counter()
    for operator in OPERATORS:
        for edit in operator.find(code):
            text = with_all_lines(source, edit)
            if text in known:
                continue
            known.add(text)
            diff = changed_lines(source, text)
            change = re.sub(r"\s*//.*", "", diff)
            times_seen[operator.name, change] += 1
            line = 1 + source.count("\n", 0, edit.begin)
            fingerprint = short_hash(f"{change}\n{times_seen[operator.name, change]}")
            found.append(Mutant(stage, operator.name, line, text, diff, line in inside, fingerprint))
    return found


def with_all_lines(source: str, edit: Edit) -> str:
    """The edited source, with as many lines as before: what reports name a line, must name the same one."""
    lost = source.count("\n", edit.begin, edit.end) - edit.text.count("\n")
    return Edit(edit.begin, edit.end, edit.text + "\n" * lost).apply(source)


def changed_lines(before: str, after: str) -> str:
    """As a diff shows them; both have as many lines."""
    pairs = [(old, new) for old, new in zip(before.splitlines(), after.splitlines()) if old != new]
    return "\n".join([*(f"- {old.strip()}" for old, _ in pairs), *(f"+ {new.strip()}".rstrip() for _, new in pairs)])


def short_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def solution_lines(source: str) -> Set[int]:
    """The numbers of the lines between `// BEGIN SOLUTION` and `// END SOLUTION`."""
    inside, found = False, set()
    for number, line in enumerate(source.splitlines(), start=1):
        mark = line.strip()
        inside = (inside or mark.startswith("// BEGIN SOLUTION")) and mark != "// END SOLUTION"
        if inside:
            found.add(number)
    return found


def choose(mutants: Sequence[Mutant], count: int, seed: int) -> List[Mutant]:
    """`count` of them, in the order of their lines: the operators take turns, in the order of their table, and each
    gives the student's own lines first. 0: all."""
    if count == 0:
        return list(mutants)
    chance = random.Random(seed)
    by_operator: Dict[str, List[Mutant]] = defaultdict(list)
    for mutant in mutants:
        by_operator[mutant.operator].append(mutant)
    for places in by_operator.values():
        chance.shuffle(places)
        places.sort(key=lambda mutant: not mutant.is_of_solution)
    turns = [mutant for turn in itertools.zip_longest(*by_operator.values()) for mutant in turn if mutant]
    return sorted(turns[:count], key=lambda mutant: (mutant.line, mutant.name))
