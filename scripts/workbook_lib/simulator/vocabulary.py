# SPDX-License-Identifier: MIT
"""The simulator's words: checks, kinds of findings and settings. They are in a file that C++ uses, too
(common/simulator/base/vocabulary.inc)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import List, NamedTuple

FILE = Path(__file__).resolve().parents[3] / "common" / "simulator" / "base" / "vocabulary.inc"
FIELD = re.compile(r'"([^"]*)"|(\w+)')


class Check(NamedTuple):
    word: str
    always: bool  # it is on by default
    meaning: str


class Finding(NamedTuple):
    word: str
    plural: str
    check: str
    meaning: str


class Setting(NamedTuple):
    variable: str
    value: str
    meaning: str


def rows(macro: str) -> List[List[str]]:
    """The fields of each line `MACRO(field, field, ...)`."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    entries = [line[len(macro) + 1 : -1] for line in lines if line.startswith(f"{macro}(")]
    return [[text or name for text, name in FIELD.findall(entry)] for entry in entries]


CHECKS = [Check(word, always == "true", meaning) for word, always, meaning in rows("CHECK")]
FINDINGS = [Finding(*fields) for _, *fields in rows("FINDING")]
SETTINGS = [Setting(*fields) for _, *fields in rows("SETTING")]

# The findings that must be asked for, and the word for each.
ON_REQUEST = {
    finding.word: check.word
    for finding in FINDINGS
    for check in CHECKS
    if finding.check == check.word and not check.always
}
