# SPDX-License-Identifier: MIT
"""Whose grade has changed since an earlier grade.json, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Mapping, Optional

from ..base import text_table
from ..base.text_table import Column
from . import book
from .book import Book

Grade = Mapping[str, object]
NOT_REPEATED = "nothing that it depends on has changed, and yet the result: this is a fault of the grader, please report it"


@dataclass(frozen=True)
class Change:
    student: str
    stage: str
    before: str
    now: str
    why: str


def changes(old: Book, new: Book) -> List[Change]:
    before = {each["name"]: each for each in old["students"]}
    now = {each["name"]: each for each in new["students"]}
    gone = [(name, each) for name, each in before.items() if name not in now]
    found = [Change(name, "all", book.points(each["points"]), "-", "no submission any more") for name, each in gone]
    for name, student in now.items():
        if name not in before:
            found.append(Change(name, "all", "-", book.points(student["points"]), "no submission before"))
            continue
        earlier = {each["stage"]: each for each in before[name]["stages"]}
        rows = {each["stage"]: each for each in student["stages"]}
        is_late = student["lost_percent"] != before[name]["lost_percent"]
        for stage in dict.fromkeys((*earlier, *rows)):
            one, other = earlier.get(stage), rows.get(stage)
            if one is None or other is None:
                words = "the stage did not count before" if one is None else "the stage does not count any more"
            else:
                words = why(one, other, old, new, is_late)
            if shown(one) != shown(other):
                found.append(Change(name, stage, shown(one), shown(other), words))
    return found


def shown(grade: Optional[Grade]) -> str:
    return "-" if grade is None else f"{book.points(grade['points'])} {grade['status']}"


def why(before: Grade, now: Grade, old: Book, new: Book, is_late: bool) -> str:
    if before["todo"] != now["todo"]:
        if not before["todo"]:
            return "nothing was handed in then"
        return "another file is handed in" if now["todo"] else "nothing is handed in now"
    if before["status"] != now["status"]:
        if old["course"] != new["course"]:
            return "the course has changed"
        return NOT_REPEATED if before["made_of"] == now["made_of"] else "another seed, or other rules of the stage"
    if is_late:
        return "other late points"
    return "other points for the stage or its technique"


def text(old: Book, new: Book) -> str:
    found = changes(old, new)
    if not found:
        return "No grade has changed"
    rows: Dict[str, List[str]] = {name: [getattr(each, name) for each in found] for name in Change.__dataclass_fields__}
    names = len({each.student for each in found})
    table = text_table.lay_out([Column([name], cells, words=True) for name, cells in rows.items()])
    return f"{table}\n\n{names} of {len(new['students'])} students have another grade"
