# SPDX-License-Identifier: MIT
"""Whose grade has changed since an earlier grade.json, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Mapping

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
    found = [Change(name, "all", book.points(each["points"]), "-", "no submission any more") for name, each in before.items() if name not in now]
    for name, student in now.items():
        if name not in before:
            found.append(Change(name, "all", "-", book.points(student["points"]), "no submission before"))
            continue
        earlier = {each["stage"]: each for each in before[name]["stages"]}
        rows = {each["stage"]: each for each in student["stages"]}
        found += [Change(name, stage, shown(each), "-", "the stage does not count any more") for stage, each in earlier.items() if stage not in rows]
        found += [Change(name, stage, "-", shown(each), "the stage did not count before") for stage, each in rows.items() if stage not in earlier]
        is_late = student["lost_percent"] != before[name]["lost_percent"]
        for stage in (stage for stage in rows if stage in earlier):
            if shown(earlier[stage]) != shown(rows[stage]):
                found.append(Change(name, stage, shown(earlier[stage]), shown(rows[stage]), why(earlier[stage], rows[stage], old, new, is_late)))
    return found


def shown(grade: Grade) -> str:
    return f"{book.points(grade['points'])} {grade['status']}"


def why(before: Grade, now: Grade, old: Book, new: Book, is_late: bool) -> str:
    if before["todo"] != now["todo"]:
        return "nothing was handed in then" if not before["todo"] else "nothing is handed in now" if not now["todo"] else "another file is handed in"
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
