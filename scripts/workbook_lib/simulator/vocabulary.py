# SPDX-License-Identifier: MIT
"""The simulator's words: checks, kinds of findings and settings. They are in a file that C++ uses, too
(common/simulator/base/vocabulary.inc)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import List, NamedTuple, Tuple

FILE = Path(__file__).resolve().parents[3] / "common" / "simulator" / "base" / "vocabulary.inc"
GPU_ROW = re.compile(r'^GPU\((\w+), "([^"]*)", (\d+)', re.MULTILINE)
GPU_ROWS = GPU_ROW.findall((FILE.parent / "gpus.inc").read_text(encoding="utf-8"))
# The words of CUDASIM_GPU, with their compute capability: 75 for 7.5. The first is the default.
GPUS = {word: int(number) for word, _, number in GPU_ROWS}
PRODUCTS = {word: product for word, product, _ in GPU_ROWS}
FIELD = r'\w+\b(?!\()|(?:"[^"]*"\s*)+'  # a name, or texts beside each other
ROW = re.compile(rf"^( *)(CHECK|FINDING|SETTING)\(((?:\s*(?:{FIELD})\s*,?)*)", re.MULTILINE)


class Check(NamedTuple):
    word: str
    asked: str  # "always": nobody has to ask for it; "in_all": `all` names it; "on_request": only its own word names it
    meaning: str


class Finding(NamedTuple):
    word: str
    plural: str
    check: str  # "none": the kernel stops itself, or the host is at fault


class Setting(NamedTuple):
    variable: str
    value: str
    meaning: str


def read(text: str) -> Tuple[List[Check], List[Finding], List[Setting]]:
    """A finding is indented in the row of its check."""
    checks: List[Check] = []
    findings: List[Finding] = []
    settings: List[Setting] = []
    for indent, macro, fields in ROW.findall(text):
        values = ["".join(re.findall('"([^"]*)"', field)) or field.strip() for field in re.findall(FIELD, fields)]
        if macro == "CHECK":
            checks.append(Check(values[0], values[1], values[4]))
        elif macro == "FINDING":
            findings.append(Finding(values[1], values[2], checks[-1].word if indent else "none"))
        else:
            settings.append(Setting(*values[1:]))
    return checks, findings, settings


CHECKS, FINDINGS, SETTINGS = read(FILE.read_text(encoding="utf-8"))

# The findings that must be asked for, and by which word.
ASKED_FOR = {
    finding.word: check.word
    for finding in FINDINGS
    for check in CHECKS
    if finding.check == check.word and check.asked != "always"
}


def listed(separator: str) -> str:
    """The words of the checks, for help texts."""
    return separator.join(check.word + " (not in all)" * (check.asked == "on_request") for check in CHECKS)
