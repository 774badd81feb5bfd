# SPDX-License-Identifier: MIT
"""Hints by symptom, as data. stages/hints.json has the hints that many stages share. stages/stageNN/hints.json has a
stage's additions and its own hints. Each has up to three tiers: a question, the idea, and nearly the line. The last one
is in a file of the same name in answers/. A course without answers/ does not have it.

    stages/hints.json    {"race-in-block": {"when": {"finding": "race", "scope": "warp|block"}, "question": "...", "idea": "..."}}
    answers/stage03/hints.json    {"race-in-block": {"line": "..."}}

`when` has a regular expression for each fact of the symptom (symptom.py), which must be found in it. The first hint
whose conditions all hold is given. The stage's own hints come first, in their order, and then the shared ones in
theirs. A stage's entry without `when` has the name of a shared one, and its tiers replace those of the shared one."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Mapping, Optional

from ..base.errors import WorkbookError
from .symptom import FACTS, Symptom

FILE = "hints.json"
TIERS = {"question": "a question", "idea": "the idea", "line": "nearly the line"}
IN = {"stages": {"when", "question", "idea"}, "answers": {"line"}}  # the place of each part of a hint


@dataclass(frozen=True)
class Hint:
    name: str
    when: Mapping[str, str]
    tiers: Mapping[str, str]  # the existing tiers by name, in order

    def is_for(self, symptom: Symptom) -> bool:
        return all(fact in symptom and re.search(pattern, symptom[fact]) for fact, pattern in self.when.items())


def read(root: Path, stage: str) -> List[Hint]:
    """The hints, in the order in which they are tried."""
    shared, own = entries(root), entries(root, stage)
    unknown = [name for name, entry in own.items() if "when" not in entry and name not in shared]
    if unknown:
        raise WorkbookError(f"{stage}/{FILE}: no shared hint is called '{unknown[0]}', and it has no `when`")
    firsts = [name for name, entry in own.items() if "when" in entry]
    merged = [made(name, own[name]) for name in firsts]
    return merged + [made(name, {**entry, **own.get(name, {})}) for name, entry in shared.items() if name not in firsts]


def entries(root: Path, stage: str = "") -> Dict[str, Dict]:
    """The hints of one stage, or the shared ones: both parts of each."""
    joined: Dict[str, Dict] = {}
    for folder in IN:
        for name, entry in read_file(root, folder, stage).items():
            joined[name] = {**joined.get(name, {}), **entry}
    return joined


def read_file(root: Path, folder: str, stage: str) -> Dict[str, Dict]:
    file = root / folder / stage / FILE
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise WorkbookError(f"{file}: {error}") from error
    for name, entry in found.items():
        unknown = (entry.keys() - IN[folder]) | (entry.get("when", {}).keys() - FACTS.keys())
        if unknown:
            raise WorkbookError(f"{file}: '{name}' has '{sorted(unknown)[0]}', which nobody reads")
    return found


def made(name: str, entry: Mapping[str, object]) -> Hint:
    return Hint(name, entry["when"], {tier: str(entry[tier]) for tier in TIERS if tier in entry})


def drawn(hints: List[Hint], symptom: Symptom) -> Optional[Hint]:
    return next((hint for hint in hints if hint.is_for(symptom)), None)
