# SPDX-License-Identifier: MIT
"""The findings of a simulator report (common/simulator/report/FORMAT.md). It joins findings of the same mistake, counts
them by kind, and gives editors their places."""

from __future__ import annotations

import contextlib
import os
import re
from collections import Counter
from pathlib import Path
from typing import Callable, Container, Dict, Iterable, List, Mapping, Tuple

from . import vocabulary

Finding = Dict[str, object]

OF_THE_HOST = (  # these concern no line of a kernel
    *("refused-launch", "refused-copy", "refused-call", "host-crash", "host-access", "early-event", "host-wait"),
    "unasked-launch",
)
NO_LINE = "no line of a kernel"  # for example unwritten bytes that are copied to the host
# The simulator's text for a line of common/workbook with an allocation, and the name in that line.
OF_THE_WORKBOOK = re.compile(r"""([Aa]llocated:? )\S*common/workbook/\S+:\d+: .*?(?:"(.*?)"|const Ticket ).*""")
PLURALS = {finding.word: finding.plural for finding in vocabulary.FINDINGS}


def line_of(place: Mapping[str, object]) -> str:
    """The place "todo.cu:34", relative to the working folder where that is shorter. "PTX line 12" where no line is
    known."""
    if not place.get("line") and place.get("kind") in OF_THE_HOST:
        return "an unknown line of the host program"
    if not place.get("line"):
        return f"PTX line {place['ptx_line']}" if place.get("ptx_line") else NO_LINE
    return f"{short_path(str(place['file']))}:{place['line']}"


def short_path(path: str) -> str:
    full = os.path.normpath(path)
    relative = os.path.relpath(full) if os.path.isabs(full) else full
    return full if relative.startswith("..") else relative


def for_students(line: str) -> str:
    """A line of the simulator's text, without lines of other files. The purpose of an array is more useful."""
    return OF_THE_WORKBOOK.sub(
        lambda found: f"{found[1]}by the workbook for your function: {found[2] or 'the ticket'}", line
    )


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


FINDING = re.compile(r"cudasim: (?P<kind>error|warning|remark): ")
LINE = re.compile(r"  line +(?P<file>\S+):(?P<line>\d+)(?:: |$)")
INTO = re.compile(r"  (?:inlined|  )  .*\binto (?:.*, then )?(?P<file>stages/[^\s,:]+):(?P<line>\d+)")
ALLOCATED = re.compile(r"  allocated (?P<file>stages/\S+):(?P<line>\d+): ")
IN_A_KERNEL = re.compile(r"PTX line \d+ \([^()]*?(?P<file>stages/\S+):(?P<line>\d+)\): ")  # for a kernel that cannot be loaded
PASSED_ON = re.compile(r"error: .* [Aa] finding of the simulator says where|In: ")  # for an end because of a finding
NOT_SOLVED = re.compile(r"Stage \d+ is (?P<words>not solved yet): (?P<file>\S+):(?P<line>\d+): ")
FAILED_CALL = re.compile(r"error: (?P<file>stages/\S+):(?P<line>\d+): ")  # the text of CUDA_CHECK
MOST_PLACES = 4  # names of the findings that are not shown
BEHIND_ITS_PLACE = ("  where ", "  advice ")  # lines of a finding


def first_whole(messages: str, found: List[Finding]) -> List[str]:
    """A program's standard error, with the leading finding first and in full, and the others in a line."""
    parts: List[List[str]] = [[]]  # first the text outside of findings; then one for each
    is_inside = False
    for line in messages.splitlines():
        is_head = bool(FINDING.match(line))
        is_inside = is_head or (is_inside and line.startswith("  "))
        if is_head:
            parts.append([])
        parts[-1 if is_inside else 0].append(line)
    if len(parts) == 1 or not found:
        return parts[0] + [line for part in parts[1:] for line in part]
    first = leading(found)
    told = [part for part in parts[1:] if str(first.get("message")) in part[0]] or parts[1:]
    others = [finding for finding in found if finding is not first]
    rest = [f"Besides {count_text(others)}: {places(others)}"] if others else []
    return [*without_frames(told[0]), *rest, *(line for line in parts[0] if not PASSED_ON.match(line))]


def without_frames(part: List[str]) -> List[str]:
    """A finding without the functions that were inlined into each other. The lines that they were inlined into stay,
    because one of them is in the user's file."""
    kept: List[str] = []
    at = None  # the lines that the frames were inlined into, during these frames
    for line in part:
        if line.startswith("  inlined ") or (at is not None and line.startswith("   ")):
            at, into = at or [], line.rpartition(" into ")[2]
            is_here = not at and bool(kept) and re.search(rf" {re.escape(into)}(:|$)", kept[-1])  # a toolkit's function
            at += [] if is_here else [into]
            continue
        if at:
            kept.append("  inlined   into " + ", then ".join(short_where_alike(at)))
        at = None
        kept.append(line)
    return kept


def short_where_alike(lines: List[str]) -> List[str]:
    """Shows repeated lines once. A template that calls itself has such lines. Shows a folder only where it differs from
    that of the line before."""
    once = [line for index, line in enumerate(lines) if index == 0 or line != lines[index - 1]]
    folders = [line.rpartition("/")[0] for line in once]
    return [
        line.rpartition("/")[2] if index and folders[index] == folders[index - 1] else line for index, line in enumerate(once)
    ]


def places(found: List[Finding]) -> str:
    """The places "todo.cu:16, todo.cu:17 and 3 more", without their folders. For a finding without a line, its text."""
    words = ((line_of(finding).rpartition("/")[2], finding) for finding in found)
    lines = list(dict.fromkeys(str(finding.get("message", line)) if line == NO_LINE else line for line, finding in words))
    left_out = len(lines) - MOST_PLACES
    return ", ".join(lines[:MOST_PLACES]) + (f" and {left_out} more" if left_out > 0 else "")


class Locator:
    """Passes on the lines of a program. Before the first line of each finding it puts the place in the form of editors:
    `file:line:column: error: words`. The place is the finding's line, or, in another file, the user's line that it was
    inlined into. For memory that was never freed, it is the line of the allocation. A failed call of the student gets
    its place in the same way. But after a finding, the call only passes the error on. `given`: the lines of a file as it
    was handed out. A finding in such a line belongs to the student's line that calls it."""

    def __init__(self, say: Callable[[str], None], root: Path, given: Callable[[str], Container[str]] = lambda file: ()):
        self.say, self.root, self.given = say, root, given
        self.held: List[str] = []  # a finding without its place so far
        self.has_finding = False

    def __call__(self, line: str) -> None:
        failed, unsolved = FAILED_CALL.match(line), NOT_SOLVED.match(line)
        if FINDING.match(line):
            self.has_finding = True
            self.flush()
            self.held.append(line)
            return
        if self.held and line.startswith("  ") and not line.startswith(BEHIND_ITS_PLACE):
            self.held.append(line)
            place = LINE.match(line)
            place = place or INTO.match(line)
            if ALLOCATED.match(line) or (place and self.is_own(place)):
                self.flush()
            return
        self.flush()
        if failed and not self.has_finding:
            line = f"{self.at(failed)}: error: {line[failed.end():]}"
        elif unsolved:
            line = f"{self.at(unsolved)}: warning: {unsolved['words']}: {line[unsolved.end():]}"
        self.say(line)

    def text_at(self, place: "re.Match[str]") -> str:
        """The line as it is in the file; empty where it is not there."""
        with contextlib.suppress(OSError, IndexError):
            file = self.root / place["file"]
            return file.read_text(encoding="utf-8", errors="replace").splitlines()[int(place["line"]) - 1]
        return ""

    def is_own(self, place: "re.Match[str]") -> bool:
        """Whether it is a line of a student's file that the student wrote."""
        return place["file"].startswith("stages/") and self.text_at(place).strip() not in self.given(place["file"])

    def at(self, place: "re.Match[str]") -> str:
        """The place, with the column where the line's text begins."""
        written = self.text_at(place)
        return f"{place['file']}:{place['line']}:{len(written) - len(written.lstrip()) + 1}"

    def flush(self) -> None:
        places = [found for wanted in (LINE, INTO, ALLOCATED) for found in map(wanted.match, self.held) if found]
        in_kernel = IN_A_KERNEL.search(self.held[0]) if self.held else None
        if in_kernel:
            places.insert(0, in_kernel)
            self.held[0] = self.held[0].replace(in_kernel[0], "")
        if places:
            of_student = [place for place in places if place["file"].startswith("stages/")]
            own = next(filter(self.is_own, of_student), (of_student or places)[0])
            head = FINDING.match(self.held[0])
            self.held[0] = f"{self.at(own)}: {head['kind']}: {self.held[0][head.end():]}"
        for line in self.held:
            self.say(line)
        self.held.clear()
