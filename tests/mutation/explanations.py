# SPDX-License-Identifier: MIT
"""equivalent.json: mutants that are no mistakes, each with the reason. An entry stands for one change (operator and
fingerprint) in all the stages that it names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Dict, Iterable, List, Sequence

from mutants import Mutant

FILE = Path(__file__).with_name("equivalent.json")


def read(file: Path = FILE) -> Dict[str, str]:
    """The reason, by the mutant's name."""
    return {
        f"{stage}:{entry['change']}": entry["reason"]
        for entry in json.loads(file.read_text(encoding="utf-8"))
        for stage in entry["stages"]
    }


def stale(reasons: Dict[str, str], mutants: Iterable[Mutant], stages: Sequence[str]) -> List[str]:
    """The names of these stages that no mutant has any more."""
    known = {mutant.name for mutant in mutants}
    return [name for name in reasons if name.split(":")[0] in stages and name not in known]
