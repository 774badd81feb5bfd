# SPDX-License-Identifier: MIT
"""PrairieLearn's results.json of an external grader. What does not compile costs no attempt (`gradable`)."""

from __future__ import annotations

import json

from .. import grading
from .feedback import Book, Student, cut, late_line, rows, total

MOST_OUTPUT, MOST_MESSAGE = 20_000, 200
NO_ATTEMPT = (grading.MISSING, grading.NOT_COMPILED)


def text(found: Book, student: Student) -> str:
    listed = rows(found, student)
    tests = [
        {
            "name": each.name,
            "description": each.status,
            "points": each.points / 1000,
            "max_points": each.of / 1000,
            "message": cut(each.status, MOST_MESSAGE),
            "output": cut(each.text, MOST_OUTPUT),
        }
        for each in listed
    ]
    content = {
        "gradable": any(each["status"] not in NO_ATTEMPT for each in student["stages"]),
        "score": student["points"] / student["of"] if student["of"] else 0.0,
        "message": "\n".join(filter(None, (total(student), late_line(student)))),
        "tests": tests,
    }
    if not content["gradable"]:
        content["format_errors"] = [cut(f"{each.name}: {each.status}\n{each.text}", MOST_OUTPUT) for each in listed]
    return json.dumps(content, indent=1, allow_nan=False) + "\n"
