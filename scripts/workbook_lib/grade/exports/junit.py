# SPDX-License-Identifier: MIT
"""JUnit XML, which Jenkins and GitLab show: a suite for the student, a test case for each stage."""

from __future__ import annotations

import re
import xml.etree.ElementTree as tree

from .. import grading
from .feedback import Book, Student, rows

NOT_IN_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def text(found: Book, student: Student) -> str:
    listed = rows(found, student)
    missing = [grade["status"] == grading.MISSING for grade in student["stages"]]
    failed = sum(not each.is_full and not gone for each, gone in zip(listed, missing))
    counts = {"tests": str(len(listed)), "failures": str(failed), "errors": "0", "skipped": str(sum(missing))}
    suites = tree.Element("testsuites", {"name": "CUDA Workbook", **counts})
    suite = tree.SubElement(suites, "testsuite", {"name": clean(student["name"]), **counts})
    for each, gone in zip(listed, missing):
        case = tree.SubElement(suite, "testcase", {"name": clean(each.name), "classname": each.stage, "file": each.file})
        if gone:
            tree.SubElement(case, "skipped", {"message": each.status})
        elif not each.is_full:
            tree.SubElement(case, "failure", {"type": each.status, "message": each.status}).text = clean(each.text)
    tree.indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tree.tostring(suites, encoding="unicode")}\n'


def clean(text: str) -> str:
    return NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text)
