# SPDX-License-Identifier: MIT
"""What a student sees of a grade. Every export for students takes its words from here, so none shows more than the class
allows (`shows` of class.toml)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Dict, List, Mapping

from .. import book, grading
from ..rules import FULL, NAME, NONE

Student = Mapping[str, object]
Book = Mapping[str, object]

WORDS = {
    grading.SOLVED: "solved",
    grading.NOT_THE_STEP: "right, but not yet this stage's step",
    grading.NOT_SOLVED: "not all steps are written",
    grading.WRONG: "the result is wrong",
    grading.FINDINGS: "the simulator has found mistakes",
    grading.NOT_COMPILED: "todo.cu does not compile",
    grading.REFUSED: "the program uses what cannot be simulated",
    grading.NOT_FROM_INPUT: "the result is right, but no kernel has computed it from the input",
    grading.MISSING: "no todo.cu that can be graded",
    "time": "stopped: it took too long",
    "memory": "stopped: it took too much memory",
    "output": "stopped: it wrote too much",
    "crash": "the program crashed",
    "refused by the wall": "stopped: it asked the system for what no stage needs",
}
GRADED = "graded"  # in place of the status, where it is not shown


@dataclass(frozen=True)
class Row:
    """One stage."""

    stage: str
    number: int
    title: str
    points: int
    of: int
    status: str  # in words
    text: str  # lines; empty where there is no more to say
    is_full: bool  # solved, and on time
    marks: List[Dict[str, object]]  # findings with a line in todo.cu: kind, line, text

    @property
    def name(self) -> str:
        return f"{self.stage}: {self.title}"

    @property
    def file(self) -> str:
        return f"stages/{self.stage}/todo.cu"


def rows(found: Book, student: Student) -> List[Row]:
    listed = {each["stage"]: each for each in found["stages"]}
    return [row(listed[each["stage"]], each, found["shows"]) for each in student["stages"]]


def row(stage: Mapping[str, object], grade: Mapping[str, object], shows: str) -> Row:
    known = WORDS.get(grade["status"], grade["status"])
    is_open = shows not in (NAME, NONE)
    return Row(
        **{name: stage[name] for name in ("stage", "number", "title")},
        **{name: grade[name] for name in ("points", "of")},
        status=GRADED if shows == NONE else known,
        text="\n".join(lines(grade, shows)) if is_open else "",
        is_full=grade["points"] == grade["of"],
        marks=[each for each in grade["findings"] if each["line"]] if is_open else [],
    )


def lines(grade: Mapping[str, object], shows: str) -> List[str]:
    is_said = grade["status"] == grading.MISSING  # the status says it all
    found = [grade["reason"]] if shows == FULL and not is_said and grade["reason"] else []
    found += [grade["messages"].rstrip()] if grade["messages"] else []
    found += [each["text"].rstrip() for each in grade["findings"]]
    found += [counter_line(each, shows) for each in grade["counters"]]
    return found + ([f"See it again: {grade['replay']}"] if grade["replay"] else [])


def counter_line(counter: Mapping[str, object], shows: str) -> str:
    head = f"{counter['idea']}: {counter['counter'].replace('_', ' ')} {counter['yours']:,}"
    if shows != FULL:
        return f"{head} ({'as the stage asks' if counter['holds'] else 'not as the stage asks'})"
    our = f"our answer {counter['answer']:,}"
    limits = [f"{word} {counter[name]:,}" for name, word in (("least", "at least"), ("most", "at most")) if counter[name] is not None]
    return f"{head} ({', '.join([our, *limits])})"


def late_line(student: Student) -> str:
    return f"Handed in late: {student['lost_percent']} percent of the points are lost." if student["lost_percent"] else ""


def total(student: Student) -> str:
    return f"{book.points(student['points'])} of {book.points(student['of'])} points"


def cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 4]} ..."


Writer = Callable[[Book, Student], str]
