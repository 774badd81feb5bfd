# SPDX-License-Identifier: MIT
"""The export of a learning management system, with our columns filled in. Its own order, ids and sections stay as they
are. The instructor exports the file of his course, and imports what is made of it."""

from __future__ import annotations

import codecs
import csv
import io
import re
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Dict, List, Sequence, Tuple

from ...base.errors import WorkbookError
from .. import book
from .feedback import Book

# By system: the columns that name a student, and those by which the system is known.
IDENTITIES = {
    "Canvas": ("sis login id", "sis user id", "id"),
    "Moodle": ("username", "id number", "email address"),
    "Blackboard": ("username", "student id"),
}
KNOWN_BY = {"Canvas": {"student", "id", "section"}, "Blackboard": {"last name", "first name", "username"}, "Moodle": {"email address"}}
TITLE = re.compile(r"\s*(?:\(\d+\)|\[Total Pts:.*|\(Real\))\s*$", re.IGNORECASE)
MOST_POINTS = re.compile(r"\[Total Pts: ([\d.,]+)", re.IGNORECASE)
POINTS_POSSIBLE = "points possible"
SHOWN_NAMES = 10


@dataclass
class Sheet:
    """A file as it was, in cells."""

    rows: List[List[str]]
    encoding: str
    delimiter: str
    quoting: int
    line_end: str

    @property
    def head(self) -> List[str]:
        return [plain(each) for each in self.rows[0]]

    def to_bytes(self) -> bytes:
        written = io.StringIO(newline="")
        csv.writer(written, delimiter=self.delimiter, quoting=self.quoting, lineterminator=self.line_end).writerows(self.rows)
        return written.getvalue().encode(self.encoding)


def plain(cell: str) -> str:
    return cell.strip().casefold()


def read(data: bytes, name: str) -> Sheet:
    marks = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
    encoding = next((each for mark, each in marks.items() if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise WorkbookError(f"{name} is no UTF-8: export it once more as CSV") from error
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    quoting = csv.QUOTE_ALL if first.startswith('"') and first.count('"') >= 2 * (first.count(delimiter) + 1) else csv.QUOTE_MINIMAL
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    if not rows:
        raise WorkbookError(f"{name} is empty")
    return Sheet(rows, encoding, delimiter, quoting, "\r\n" if "\r\n" in text else "\n")


def system_of(sheet: Sheet, name: str) -> str:
    for system, wanted in KNOWN_BY.items():
        if wanted <= set(sheet.head):
            return system
    raise WorkbookError(f"{name} is no export of Canvas, Moodle or Blackboard: its columns are {', '.join(sheet.rows[0][:SHOWN_NAMES])}")


def columns_of(sheet: Sheet, found: Book) -> Dict[int, str]:
    """Which columns are ours: "" for the whole work, else a stage."""
    stages = [each["stage"] for each in found["stages"]]
    ours: Dict[int, str] = {}
    for place, cell in enumerate(sheet.rows[0]):
        title = TITLE.sub("", cell.partition("|")[0]).strip().casefold().removeprefix("assignment: ")
        if title == found["column"].casefold():
            ours[place] = ""
        else:
            stage = next((each for each in stages if re.match(rf"{each}(?!\d)", title)), None)
            ours.update({place: stage} if stage else {})
    if not ours:
        raise WorkbookError(
            f"no column has the title '{found['column']}' or begins with {stages[0]}: make it in the course, export again, or "
            "change `column` in the class file"
        )
    repeated = [sheet.rows[0][place] for place, each in ours.items() if list(ours.values()).count(each) > 1]
    if repeated:
        raise WorkbookError(f"these columns would have the same points: {', '.join(repeated)}")
    return ours


def rows_of(sheet: Sheet, system: str, found: Book) -> Tuple[Dict[str, int], List[str]]:
    """The row of each student of ours, and the students without one."""
    places = [sheet.head.index(each) for each in IDENTITIES[system] if each in sheet.head]
    listed: Dict[str, int] = {}
    without = []
    for student in found["students"]:
        name = plain(student["name"])
        for place in places:  # the surest column first
            rows = [number for number, row in enumerate(sheet.rows[1:], 1) if place < len(row) and plain(row[place]) == name]
            if len(rows) > 1:
                raise WorkbookError(f"'{student['name']}' names {len(rows)} students of the export (column {sheet.rows[0][place]})")
            if rows:
                listed[student["name"]] = rows[0]
                break
        else:
            without.append(student["name"])
    repeated = [name for name, row in listed.items() if list(listed.values()).count(row) > 1]
    if repeated:
        raise WorkbookError(f"these submissions are of one student of the export: {', '.join(repeated)}")
    return listed, without


def check_most(sheet: Sheet, ours: Dict[int, str], most: Dict[str, int]) -> None:
    """Raises where the course's column has other points than ours: nobody would see why grades look odd."""
    limits = next((row for row in sheet.rows[1:3] if row and plain(row[0]) == POINTS_POSSIBLE), [])
    for place, stage in ours.items():
        written = MOST_POINTS.search(sheet.rows[0][place])
        text = written[1] if written else limits[place].strip() if place < len(limits) else ""
        if re.fullmatch(r"\d+(?:\.\d+)?", text) and Decimal(text) * 1000 != most[stage]:
            raise WorkbookError(
                f"the column '{sheet.rows[0][place]}' has {text} points in the course, and {book.points(most[stage])} here: make them equal"
            )


def fill(data: bytes, name: str, found: Book) -> Tuple[bytes, List[str]]:
    """The same file with points, and sentences for the instructor. Who has no grade because of the grader's own error keeps
    what stands there."""
    sheet = read(data, name)
    system = system_of(sheet, name)
    ours = columns_of(sheet, found)
    check_most(sheet, ours, {"": sum(each["of"] for each in found["stages"]), **{each["stage"]: each["of"] for each in found["stages"]}})
    listed, without = rows_of(sheet, system, found)
    if without:
        raise WorkbookError(
            f"{name} has no row for {', '.join(without[:SHOWN_NAMES])}{' and more' if len(without) > SHOWN_NAMES else ''}: their "
            f"names must stand in one of the columns {', '.join(each for each in IDENTITIES[system] if each in sheet.head)}"
        )
    said = []
    for student in found["students"]:
        if book.has_grader_error(student):
            said.append(f"{student['name']} has no grade because of the grader's own error: his cells stay as they are")
            continue
        points = {"": student["points"], **{each["stage"]: each["points"] for each in student["stages"]}}
        row = sheet.rows[listed[student["name"]]]
        row += [""] * (len(sheet.rows[0]) - len(row))
        for place, stage in ours.items():
            row[place] = two_digits(points[stage])
    shown = ", ".join(sheet.rows[0][place] for place in ours)
    return sheet.to_bytes(), [f"{system}: {len(listed)} students, in the columns {shown}", *said]


def two_digits(thousandths: int) -> str:
    """Rounded to what these systems keep; half of a hundredth goes up."""
    return f"{Decimal((thousandths + 5) // 10) / 100:.2f}"


def fill_file(file: Path, found: Book, target: Path) -> Sequence[str]:
    try:
        data = file.read_bytes()
    except OSError as error:
        raise WorkbookError(f"{file} can't be read: {error.strerror}") from error
    content, said = fill(data, file.name, found)
    target.write_bytes(content)
    return said
