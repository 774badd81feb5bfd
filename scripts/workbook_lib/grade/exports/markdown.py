# SPDX-License-Identifier: MIT
"""A page of Markdown for a student. Whatever his program says stands in a code block that it cannot end."""

from __future__ import annotations

import re

from .. import book
from .feedback import Book, Student, late_line, rows, total

MARKS = re.compile(r"([\\`*_{}\[\]<>()#+!|~&])")


def text(found: Book, student: Student) -> str:
    listed = rows(found, student)
    parts = [f"# {plain(student['name'])}: {total(student)}", late_line(student)]
    parts += [f"- {plain(each)}" for each in student["problems"]]
    table = ["| stage | status | points |", "|---|---|---|"]
    table += [f"| {plain(each.name)} | {plain(each.status)} | {book.points(each.points)} of {book.points(each.of)} |" for each in listed]
    parts.append("\n".join(table))
    for each in listed:
        if each.text:
            parts += [f"## {plain(each.name)}", fenced(each.text)]
    return "\n\n".join(filter(None, parts)) + "\n"


def plain(text: str) -> str:
    """Text on one line that no mark of Markdown or HTML is in."""
    return MARKS.sub(r"\\\1", " ".join(text.split()))


def fenced(text: str) -> str:
    longest = max((len(each) for each in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"
