# SPDX-License-Identifier: MIT
"""The roster: a CSV file with one student a line, as learning management systems and Classroom 50 export it."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Set

from ...base.errors import WorkbookError
from ...base.harmless import one_line

# Columns by their names in lower case; the first that is there names the student.
NAMES = ("username", "user name", "login", "sis login id", "student id", "id", "email", "email address")
SUBMISSION = "submission"  # optional: a column with the name that a learning management system gives to what is handed in
MOST_BYTES = 16 << 20


@dataclass(frozen=True)
class Student:
    key: str  # as exports name the student
    columns: Dict[str, str]  # the whole line, for exports
    submission: str = ""  # the name of the folder or archive, where it is another one

    @property
    def folded(self) -> str:
        return (self.submission or self.key).casefold()


def read_roster(file: Path) -> List[Student]:
    """Raises WorkbookError with file and line for what can't be right."""
    try:
        if file.stat().st_size > MOST_BYTES:
            raise WorkbookError(f"{file} is no roster: it has {file.stat().st_size >> 20} MB")
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise WorkbookError(f"the roster {file} can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise WorkbookError(f"the roster {file} is no UTF-8: save it as CSV UTF-8") from error
    return parse(text, str(file))


def parse(text: str, name: str) -> List[Student]:
    head = text.partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    lines = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    known = {(column or "").strip().casefold(): column for column in lines.fieldnames or []}
    column = next((known[each] for each in NAMES if each in known), None)
    if column is None:
        raise WorkbookError(f"{name}:1: no column names the student: call one of them 'username' (there are: {head.strip() or 'none'})")
    found: Dict[str, Student] = {}
    keys: Set[str] = set()
    for line in lines:
        key = one_line((line[column] or "").strip())
        if not any((value or "") for each, value in line.items() if each is not None):
            continue
        if not key:
            raise WorkbookError(f"{name}:{lines.line_num}: the column '{column}' is empty")
        named = line.get(known.get(SUBMISSION, "")) or ""
        student = Student(key, {each: value or "" for each, value in line.items() if each is not None}, named.strip())
        if student.folded in found or key.casefold() in keys:
            raise WorkbookError(f"{name}:{lines.line_num}: '{key}' stands there twice")
        keys.add(key.casefold())
        found[student.folded] = student
    return list(found.values())
