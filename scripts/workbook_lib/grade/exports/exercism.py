# SPDX-License-Identifier: MIT
"""The results.json of an exercism test runner, version 3: one test a stage."""

from __future__ import annotations

import json

from .. import grading
from .feedback import Book, Student, cut, late_line, rows, total

MOST_OUTPUT, MOST_MESSAGE = 500, 20_000
BUILT_NOTHING = (grading.MISSING, grading.NOT_COMPILED)


def text(found: Book, student: Student) -> str:
    listed = rows(found, student)
    tests = []
    for number, (each, grade) in enumerate(zip(listed, student["stages"]), start=1):
        test = {"name": each.name, "status": "pass" if each.is_full else "fail", "task_id": number, "test_code": each.file}
        if not each.is_full:
            if grade["status"] in BUILT_NOTHING:
                test["status"] = "error"
            test["message"] = cut("\n".join(filter(None, (each.status, each.text))), MOST_MESSAGE)
        test["output"] = cut(each.text, MOST_OUTPUT)
        tests.append(test)
    is_error = all(grade["status"] in BUILT_NOTHING for grade in student["stages"])
    status = "error" if is_error else "pass" if all(each.is_full for each in listed) else "fail"
    message = "\n".join(filter(None, (total(student), late_line(student))))
    return json.dumps({"version": 3, "status": status, "message": message, "tests": [] if is_error else tests}, indent=1) + "\n"
