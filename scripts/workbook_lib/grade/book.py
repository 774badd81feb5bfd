# SPDX-License-Identifier: MIT
"""grade.json: the grades of a class, for its instructor. It follows grade.schema.json, and all that is exported comes from
it. It has no time and no name of a machine: the same submissions, seed and version give the same bytes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Dict, List, Mapping, Sequence, Tuple

from ..base import version
from ..base.errors import WorkbookError
from ..base.files import write_own
from ..course.stages import Stage
from . import grading, tasks
from .grading import StageGrade
from .rules import Rules
from .submissions.roster import Student
from .submissions.submissions import Collection, Submission
from .tasks import Part, Setting

SCHEMA, FORMAT, FILE = "grade.schema.json", 2, "grade.json"
OLD = "grade.old.json"
SUBMITTED, DUE = "submitted", "due"  # columns of the roster
Book = Dict[str, object]
DIGITS = 16  # of a digest


def make(
    setting: Setting,
    rules: Rules,
    chosen: Sequence[Stage],
    collection: Collection,
    roster: Sequence[Student],
    parts: Sequence[Part],
) -> Book:
    """`parts`: of all students, in their order."""
    listed: Dict[str, List[Part]] = {}
    for part in parts:
        listed.setdefault(part.student, []).append(part)
    handed = {each.student: each for each in collection.submissions}
    columns = {each.key: each.columns for each in roster}
    return {
        "schema": SCHEMA,
        "format": FORMAT,
        "version": version.read(),
        "course": setting.course,
        "shows": rules.shows,
        "column": rules.column,
        "problems": collection.problems,
        "stages": [
            {"stage": each.name, "number": each.number, "title": each.title, "of": rules.most(each.name)} for each in chosen
        ],
        "students": [
            student(setting, rules, name, own, handed.get(name) or Submission(name, ""), columns.get(name, {}))
            for name, own in listed.items()
        ],
    }


def lateness(rules: Rules, name: str, columns: Mapping[str, str]) -> Tuple[str, int]:
    """When a student has handed in, and how many percent that loses. Raises WorkbookError for what is no time."""
    times = {key.strip().casefold(): value.strip() for key, value in columns.items()}
    submitted, due = times.get(SUBMITTED, ""), times.get(DUE, "")
    try:
        return submitted, rules.lost_percent(submitted, due)
    except ValueError as error:
        raise WorkbookError(f"the roster has no time for {name} that can be read ({error}): write 2027-03-01 23:59") from error


def student(
    setting: Setting, rules: Rules, name: str, parts: Sequence[Part], handed: Submission, columns: Mapping[str, str]
) -> Dict[str, object]:
    submitted, lost = lateness(rules, name, columns)
    rows = []
    for part in parts:
        found = tasks.known(setting, part) or not_graded(part)
        digest = hashlib.sha256(part.todo).hexdigest()[:DIGITS] if part.todo is not None else ""
        points = {"points": rules.earned(found, lost), "of": rules.most(part.stage.name)}
        hints = handed.hints.get(part.stage.name)
        rows.append({**found.to_json(), **points, "todo": digest, "made_of": tasks.result_name(setting, part), "hints": hints})
    return {
        "name": name,
        "points": sum(each["points"] for each in rows),
        "of": sum(each["of"] for each in rows),
        "submitted": submitted,
        "lost_percent": lost,
        "source": handed.source,
        "problems": handed.problems,
        "extra": handed.extra,
        "stages": rows,
    }


def not_graded(part: Part) -> StageGrade:
    return StageGrade(part.stage.name, grading.GRADER_ERROR, "this part has not been graded: run the command again")


def text_of(book: Book) -> str:
    return json.dumps(book, indent=1, allow_nan=False) + "\n"


def write(book: Book, folder: Path) -> None:
    """Other grades that are there are kept beside the new ones, for a comparison."""
    file, text = folder / FILE, text_of(book)
    if file.exists() and file.read_text(encoding="utf-8") != text:
        file.replace(folder / OLD)
    write_own(file, text)


def read(place: Path) -> Book:
    """`place`: the file, or the folder that holds it."""
    file = place / FILE if place.is_dir() else place
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        if (found["schema"], found["format"]) != (SCHEMA, FORMAT):
            raise WorkbookError(f"{file} has another format than this version of the course: grade once more")
        return found
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WorkbookError(f"{file} can't be read as grades: {error}") from error


def has_grader_error(student: Mapping[str, object]) -> bool:
    """Such a student has no grade yet: it is no zero."""
    return any(each["status"] == grading.GRADER_ERROR for each in student["stages"])


def points(thousandths: int) -> str:
    """Points for a person: 7, 7.5, 7.125."""
    whole, rest = divmod(thousandths, 1000)
    return f"{whole}.{rest:03}".rstrip("0").rstrip(".")
