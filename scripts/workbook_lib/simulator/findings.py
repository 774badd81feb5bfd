# SPDX-License-Identifier: MIT
"""The findings of a simulator report (common/simulator/report/FORMAT.md). It joins findings of the same mistake, and
counts them by kind."""

from __future__ import annotations

import os
import re
from collections import Counter
from typing import Dict, Iterable, List, Mapping, Tuple

from . import vocabulary

Finding = Dict[str, object]

OF_THE_HOST = (  # these concern no line of a kernel
    *("refused-launch", "refused-copy", "refused-call", "host-crash", "host-access", "early-event", "host-wait"),
    "unasked-launch",
)
MOST_PLACES = 4  # names of the findings that are not shown
NO_LINE = "no line of a kernel"  # for example unwritten bytes that are copied to the host
# The simulator's text for a line of common/workbook with an allocation, and the name in that line.
OF_THE_WORKBOOK = re.compile(r"""([Aa]llocated:? )\S*common/workbook/\S+:\d+: .*?(?:"(.*?)"|const Ticket ).*""")
# Memory that the student's function gets and must not read: the name of the allocation says why.
NOT_TO_BE_READ = re.compile(r"by the workbook for your function: \S+, which (?P<why>must not be read, as .*)$")
WRITE_IT_FIRST = re.compile(r"^( +advice +)memory from cudaMalloc holds anything: write it first, .*$")
PLURALS = {finding.word: finding.plural for finding in vocabulary.FINDINGS}


def line_of(place: Mapping[str, object]) -> str:
    """The place "todo.cu:34", relative to the working folder where that is shorter. "PTX line 12" where no line is
    known."""
    if not place.get("line") and place.get("kind") in OF_THE_HOST:
        return "an unknown line of the host program"
    if not place.get("line"):
        return f"PTX line {place['ptx_line']}" if place.get("ptx_line") else NO_LINE
    return f"{short_path(str(place['file']))}:{place['line']}"


def running_kernel(report: Mapping[str, object]) -> str:
    """The kernel that ran when the program was ended, where it was, and how far. Empty where none is known."""
    running = report.get("running") or {}
    if "block" not in running:
        return ""
    block = ", ".join(str(index) for index in running["block"])
    place = f"{running['kernel']} was running, block ({block}) at {line_of(running)}"
    return f"{place}: {running['progress']}" if running.get("progress") else place


def short_path(path: str) -> str:
    full = os.path.normpath(path)
    relative = os.path.relpath(full) if os.path.isabs(full) else full
    return full if relative.startswith("..") else relative


def for_students(line: str) -> str:
    """A line of a finding's text, without lines of other files. The purpose of an array is more useful."""
    return OF_THE_WORKBOOK.sub(
        lambda found: f"{found[1]}by the workbook for your function: {found[2] or 'the ticket'}", line
    )


def lines_for_students(text: str) -> List[str]:
    """The lines of a finding's text. The advice to write memory first does not hold for what must not be read."""
    lines = [for_students(line) for line in text.splitlines()]
    why = next(filter(None, map(NOT_TO_BE_READ.search, lines)), None)
    if why is None:
        return lines
    return [WRITE_IT_FIRST.sub(lambda advice: f"{advice[1]}it {why['why']}: leave the read out there", line) for line in lines]


def identity(finding: Finding) -> tuple:
    """A key that is equal for two findings of one mistake. Another schedule may meet the two lines of a race in the
    other order. A finding without a line in a kernel has its allocation as key, or its text."""
    lines = [line_of(place) for place in (finding, finding.get("other"), finding.get("other_call")) if place]
    words = finding.get("allocation") if finding["kind"] == "leak" else ""
    if finding["kind"] in OF_THE_HOST and finding["kind"] != "host-wait":  # its line is enough
        words = finding.get("message")
    return finding["kind"], words, *sorted(lines)


def distinct(findings: Iterable[Finding]) -> List[Finding]:
    """One finding for each mistake: an error if there is one, else the first."""
    first: Dict[tuple, Finding] = {}
    for finding in findings:
        known = first.setdefault(identity(finding), finding)
        if known.get("severity") != "error" and finding.get("severity") == "error":
            first[identity(finding)] = finding
    return list(first.values())


def is_remark(finding: Finding) -> bool:
    """Whether the program is right, and only lacks what would show another mistake."""
    return finding.get("severity") == "remark"


def remark_text(finding: Finding) -> str:
    """The remark in a line, with its place as editors read it."""
    return f"{line_of(finding)}: remark: {finding.get('message')}: {finding.get('advice')}"


def count_text(findings: Iterable[Finding]) -> str:
    """The text "1 race, 2 leaks". Empty where there is none."""
    kinds = Counter(str(finding["kind"]) for finding in distinct(findings))
    return ", ".join(
        f"{count} {PLURALS.get(kind, kind) if count > 1 else kind}" for kind, count in kinds.items()
    )


def leading(findings: List[Finding]) -> Finding:
    """The finding to look at first, because others often follow from it. A thread that misses a barrier races with the
    threads that wait there. What the simulator calls a possible consequence comes after its cause. A finding that stops a
    kernel is nearer to its cause than later effects."""

    def rank(finding: Finding) -> Tuple[bool, bool, bool]:
        return finding["kind"] != "barrier-divergence", "follows" in finding, finding.get("severity") != "error"

    return min(findings, key=rank)


def places(found: List[Finding]) -> str:
    """The places "todo.cu:16, todo.cu:17 and 3 more", without their folders. For a finding without a line, its text."""
    words = ((line_of(finding).rpartition("/")[2], finding) for finding in found)
    lines = list(dict.fromkeys(str(finding.get("message", line)) if line == NO_LINE else line for line, finding in words))
    left_out = len(lines) - MOST_PLACES
    return ", ".join(lines[:MOST_PLACES]) + (f" and {left_out} more" if left_out > 0 else "")
