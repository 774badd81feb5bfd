# SPDX-License-Identifier: MIT
"""SARIF 2.1.0, which editors and GitHub show beside the lines: the findings, and what the compiler says. What has no line
stands at the first one."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Dict, List

from ...base import version
from .. import grading
from .feedback import GRADED, Book, Student, rows

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
COMPILER = "not-compiled"
ERROR_LINE = re.compile(r"^(?:\S*/)?todo\.cu[:(](\d+)\)?[^\n]*?error[^\n]*$", re.MULTILINE)


def text(found: Book, student: Student) -> str:
    results: List[Dict[str, object]] = []
    for each, grade in zip(rows(found, student), student["stages"]):
        own = [result(each.file, str(mark["kind"]), int(mark["line"]), str(mark["text"])) for mark in each.marks]
        compiled = grade["messages"] if each.text else ""
        own += [result(each.file, COMPILER, int(error[1]), error[0]) for error in ERROR_LINE.finditer(compiled)]
        if not own and grade["status"] != grading.SOLVED and each.status != GRADED:
            own = [result(each.file, grade["status"].replace(" ", "-"), 1, "\n".join(filter(None, (each.status, each.text))))]
        results += own
    kinds = sorted({str(each["ruleId"]) for each in results})
    driver = {"name": "CUDA Workbook", "version": version.read(), "rules": [{"id": kind, "name": kind} for kind in kinds]}
    content = {"$schema": SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}
    return json.dumps(content, indent=1) + "\n"


def result(file: str, kind: str, line: int, message: str) -> Dict[str, object]:
    place = {"artifactLocation": {"uri": file}, "region": {"startLine": max(line, 1)}}
    return {
        "ruleId": kind,
        "level": "error",
        "message": {"text": message},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"workbook/v1": hashlib.sha256(f"{kind} {file} {line}".encode()).hexdigest()[:32]},
    }
