# SPDX-License-Identifier: MIT
"""The class as a CSV file for a spreadsheet: a student a line, a stage a column."""

from __future__ import annotations

import csv
import io

from .. import book
from .feedback import Book

FORMULA = ("=", "+", "-", "@", "\t", "\r")


def text(found: Book) -> str:
    written = io.StringIO(newline="")
    lines = csv.writer(written, lineterminator="\n")
    names = [each["stage"] for each in found["stages"]]
    lines.writerow(["student", "points", "of", "late percent", *names, *(f"{name} status" for name in names)])
    for student in found["students"]:
        graded = not book.has_grader_error(student)
        total = [book.points(student["points"]) if graded else "", book.points(student["of"]), student["lost_percent"]]
        points = [book.points(each["points"]) if graded else "" for each in student["stages"]]
        lines.writerow([safe(student["name"]), *total, *points, *(each["status"] for each in student["stages"])])
    return written.getvalue()


def safe(cell: str) -> str:
    """A cell that a spreadsheet takes for text, and not for a formula."""
    return f"'{cell}" if cell.startswith(FORMULA) else cell
