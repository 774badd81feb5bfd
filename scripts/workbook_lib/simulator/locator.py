# SPDX-License-Identifier: MIT
"""Shows findings and the lines that a program prints, with their places where editors look."""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path
from typing import Callable, Container, Iterable, Iterator, List, Mapping, Tuple

from . import findings
from .findings import Finding

Place = Tuple[str, int]

NOTICE = "cudasim: "  # begins the simulator's lines on standard error; findings are in its report
HEAD = re.compile(r"cudasim: (?P<kind>error|warning|remark): ")
IN_A_KERNEL = re.compile(r"PTX line \d+ \([^()]*?(?P<file>stages/\S+):(?P<line>\d+)\): ")  # for a kernel that cannot be loaded
PASSED_ON = re.compile(r"error: .* [Aa] finding of the simulator says where|In: ")  # for an end because of a finding
NOT_SOLVED = re.compile(r"Stage \d+ is (?P<words>not solved yet): (?P<file>\S+):(?P<line>\d+): ")
FAILED_CALL = re.compile(r"error: (?P<file>stages/\S+):(?P<line>\d+): ")  # the text of CUDA_CHECK


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


class Locator:
    """Shows a finding with its place first, in the form of editors: `file:line:column: error: words`. The place is the
    finding's line, or, in another file, the student's line that it was inlined into. For memory that was never freed, it
    is the line of the allocation. A failed call of the student gets its place in the same way. But after a finding, the
    call only passes the error on. `given`: the lines of a file as it was handed out. A finding in such a line belongs to
    the student's line that calls it."""

    def __init__(self, say: Callable[[str], None], root: Path, given: Callable[[str], Container[str]] = lambda file: ()):
        self.say, self.root, self.given = say, root, given

    def tell(self, found: Iterable[Finding], messages: str) -> None:
        """All findings in full, and what the program has printed to standard error."""
        found = list(found)
        for finding in found:
            self.finding(finding)
        self.printed(messages, bool(found))

    def tell_leading(self, found: List[Finding], messages: str) -> None:
        """The leading finding in full, the others in a line, and what the program has printed."""
        first = findings.leading(found) if found else None
        others = [finding for finding in found if finding is not first]
        if first is not None:
            self.finding(first)
        if others:
            self.say(f"Besides {findings.count_text(others)}: {findings.places(others)}")
        self.printed(messages, bool(found))

    def finding(self, finding: Finding) -> None:
        lines = findings.lines_for_students(str(finding.get("text", "")))
        head = HEAD.match(lines[0]) if lines else None
        if head is not None:
            in_kernel = IN_A_KERNEL.search(lines[0])
            places = [(in_kernel["file"], int(in_kernel["line"]))] if in_kernel else list(self.places(finding))
            if places:
                words = lines[0][head.end() :].replace(in_kernel[0] if in_kernel else "", "")
                lines[0] = f"{self.at(*self.chosen(places))}: {head['kind']}: {words}"
        for line in without_frames(lines):
            self.say(line)

    def printed(self, messages: str, has_finding: bool) -> None:
        for line in messages.splitlines():
            failed, unsolved = FAILED_CALL.match(line), NOT_SOLVED.match(line)
            if has_finding and PASSED_ON.match(line):
                continue
            if failed and not has_finding:
                line = f"{self.at(failed['file'], int(failed['line']))}: error: {line[failed.end():]}"
            elif unsolved:
                at = self.at(unsolved["file"], int(unsolved["line"]))
                line = f"{at}: warning: {unsolved['words']}: {line[unsolved.end():]}"
            self.say(line)

    def places(self, finding: Finding) -> Iterator[Place]:
        """The lines of a finding, from the innermost one to the allocation."""
        lines: List[Mapping[str, object]] = [finding, *finding.get("inlined", [])]
        for line in filter(lambda line: line.get("line"), lines):
            yield self.short(line), int(line["line"])
        allocated = finding.get("allocated")
        if allocated and self.short(allocated).startswith("stages/"):
            yield self.short(allocated), int(allocated["line"])

    def short(self, line: Mapping[str, object]) -> str:
        """The file, from the course's folder where it is in that."""
        file = str(line["file"])
        relative = os.path.relpath(os.path.join(self.root, file), self.root)
        return file if relative.startswith("..") else relative

    def chosen(self, places: List[Place]) -> Place:
        of_student = [place for place in places if place[0].startswith("stages/")]
        return next((place for place in of_student if self.is_own(*place)), (of_student or places)[0])

    def text_at(self, file: str, line: int) -> str:
        """The line as it is in the file; empty where it is not there."""
        with contextlib.suppress(OSError, IndexError):
            return (self.root / file).read_text(encoding="utf-8", errors="replace").splitlines()[line - 1]
        return ""

    def is_own(self, file: str, line: int) -> bool:
        """Whether the student wrote this line."""
        return self.text_at(file, line).strip() not in self.given(file)

    def at(self, file: str, line: int) -> str:
        """The place, with the column where the line's text begins."""
        written = self.text_at(file, line)
        return f"{file}:{line}:{len(written) - len(written.lstrip()) + 1}"
