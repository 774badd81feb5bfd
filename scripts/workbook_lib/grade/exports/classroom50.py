# SPDX-License-Identifier: MIT
"""Classroom 50's result.json (classroom50/result/v1), inside a run of its autograder, whose environment names the
submission. Points are whole there: each is rounded down."""

from __future__ import annotations

import json
import os
from datetime import datetime, timezone

from ...base.errors import WorkbookError
from ..rules import time_of
from .feedback import Book, Student, rows

# By field, the variable that the runner sets.
VARIABLES = {
    **{"classroom": "CLASSROOM", "assignment": "ASSIGNMENT", "submission": "SUBMISSION_TAG"},
    **{"commit": "COMMIT_URL", "release": "RELEASE_URL", "review": "REVIEW_URL"},
}
TIME = "%Y-%m-%dT%H:%M:%SZ"


def check_environment() -> None:
    """Raises WorkbookError outside of a run of Classroom 50's autograder."""
    missing = [name for name in VARIABLES.values() if not os.environ.get(name)]
    if missing:
        raise WorkbookError(
            "nothing is exported: classroom50 works in a run of Classroom 50's autograder alone, which sets "
            f"{', '.join(missing)}. Elsewhere leave classroom50 out"
        )
    if not os.environ["SUBMISSION_TAG"].startswith("submit/"):
        raise WorkbookError("SUBMISSION_TAG does not begin with submit/, as those of Classroom 50 do")


def text(found: Book, student: Student) -> str:
    check_environment()
    now = datetime.now(timezone.utc)
    handed_in = time_of(student["submitted"]).astimezone(timezone.utc) if student["submitted"] else now
    tests = [
        {
            "test-name": each.name,
            "passed": each.is_full,
            "score": each.points // 1000,
            "max-score": each.of // 1000,
            "status": each.status,
            "output": each.text,
        }
        for each in rows(found, student)
    ]
    content = {
        "schema": "classroom50/result/v1",
        **{field: os.environ[name] for field, name in VARIABLES.items()},
        "datetime": handed_in.strftime(TIME),  # stays when it is graded again; the next one moves
        "graded_at": now.strftime(TIME),
        "score": sum(each["score"] for each in tests),
        "max-score": sum(each["max-score"] for each in tests),
        "tests": tests,
    }
    return json.dumps(content, indent=1, allow_nan=False) + "\n"
