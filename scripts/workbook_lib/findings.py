# SPDX-License-Identifier: MIT
"""The findings of a simulator report (common/simulator/report/FORMAT.md): which of them are the same mistake, and how
many of which kind there are."""

from __future__ import annotations

import os
import re
from collections import Counter
from typing import Dict, Iterable, List, Mapping

from . import words

Finding = Dict[str, object]

OF_THE_HOST = ("refused-launch", "host-crash")  # these are about no line of a kernel
# Where the simulator names a line of common/workbook that has allocated something, with the name that stands in it.
OF_THE_WORKBOOK = re.compile(r"""([Aa]llocated:? )\S*common/workbook/\S+:\d+: .*?(?:"(.*?)"|const Ticket ).*""")
PLURALS = {finding.word: finding.plural for finding in words.FINDINGS}


def line_of(place: Mapping[str, object]) -> str:
    """ "todo.cu:34", from the folder one is in where that is shorter; "PTX line 12" where no line is known."""
    if not place.get("line") and place.get("kind") in OF_THE_HOST:
        return "an unknown line of the host program"
    if not place.get("line"):
        return f"PTX line {place.get('ptx_line', '?')}"
    return f"{short_path(str(place['file']))}:{place['line']}"


def short_path(path: str) -> str:
    full = os.path.normpath(path)
    relative = os.path.relpath(full) if os.path.isabs(full) else full
    return full if relative.startswith("..") else relative


def for_students(line: str) -> str:
    """A line of the simulator's text, without lines that are not the student's: what an array is for says more."""
    return OF_THE_WORKBOOK.sub(
        lambda found: f"{found[1]}by the workbook for your function: {found[2] or 'the ticket'}", line
    )


def identity(finding: Finding) -> tuple:
    """The same for two findings that are one mistake. Of a race, another schedule may meet the two lines in the other
    order; what has no line in a kernel is known by its allocation, or by what is said of it."""
    lines = [line_of(place) for place in (finding, finding.get("other"), finding.get("other_call")) if place]
    words = finding.get("allocation") if finding["kind"] == "leak" else ""
    if finding["kind"] in OF_THE_HOST:
        words = finding.get("message")
    return finding["kind"], words, *sorted(lines)


def distinct(findings: Iterable[Finding]) -> List[Finding]:
    """One finding for each mistake, the first of each."""
    first: Dict[tuple, Finding] = {}
    for finding in findings:
        first.setdefault(identity(finding), finding)
    return list(first.values())


def count_text(findings: Iterable[Finding]) -> str:
    """ "1 race, 2 leaks"; empty where there is none."""
    kinds = Counter(str(finding["kind"]) for finding in distinct(findings))
    return ", ".join(
        f"{count} {PLURALS.get(kind, kind) if count > 1 else kind}" for kind, count in kinds.items()
    )
