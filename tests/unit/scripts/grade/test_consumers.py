# SPDX-License-Identifier: MIT
"""Exports as the programs read them for which they are made. WORKBOOK_CONSUMERS names the Python that has these programs, as that
of a virtual environment with junitparser, sarif-tools, check-jsonschema, gslocal and finalgrade. test_exports.py reads the
exports by the rules of the importers, on every machine."""

import json
import os
import subprocess
import unittest
from pathlib import Path

import support
from grade import books, test_gradebook
from workbook_lib.base.files import write_atomically
from workbook_lib.grade import book
from workbook_lib.grade.exports import formats, gradebook

PYTHON = os.environ.get("WORKBOOK_CONSUMERS", "")
SCHEMA = support.ROOT / "scripts" / "workbook_lib" / "grade" / "grade.schema.json"
JUNIT = """
import sys, junitparser
for suite in junitparser.JUnitXml.fromfile(sys.argv[1]):
    for case in suite:
        print(suite.name, case.classname, [each.__class__.__name__ for each in case.result])
"""
GRADESCOPE = "import sys, pathlib, gslocal.results as r; r.format_results(pathlib.Path(sys.argv[1]))"
CANVAS = """
import sys
from finalgrade.canvas import read
print(read.is_canvas_export(sys.argv[1]))
print(read.read_canvas(sys.argv[1])["df_score"].to_csv())
"""


@unittest.skipUnless(PYTHON, support.NO_CONSUMERS)
class Consumers(books.BookCase):
    def setUp(self):
        super().setUp()
        self.book = self.made()
        formats.write(self.book, ["junit", "sarif", "gradescope"], self.folder)

    def file(self, form, student):
        return self.folder / formats.FOLDER / form / f"{formats.file_name(student)}{formats.FORMATS[form].ending}"

    def said(self, *words, status=0):
        done = subprocess.run([*map(str, words)], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout

    def program(self, name):
        return Path(PYTHON).with_name(name)

    def test_junitparser(self):
        for student, results in (("ada", ([], [])), ("ben", (["Failure"], ["Failure"])), ("=cleo,\"x\"", (["Failure"], ["Skipped"]))):
            lines = [f"{student} {stage.name} {kinds}" for stage, kinds in zip(books.STAGES, results)]
            self.assertEqual(self.said(PYTHON, "-c", JUNIT, self.file("junit", student)).splitlines(), lines)
        self.said(self.program("junitparser"), "verify", self.file("junit", "ada"))
        self.said(self.program("junitparser"), "verify", self.file("junit", "ben"), status=1)

    def test_sarif_tools(self):
        self.said(self.program("sarif"), "csv", self.file("sarif", "ben"), "--output", "all.csv")
        table = (self.folder / "all.csv").read_text(encoding="utf-8")
        for place in ("stages/stage01/todo.cu,7", "stages/stage03/todo.cu,6"):
            self.assertIn(place, table)
        self.said(self.program("sarif"), "--check", "error", "summary", self.file("sarif", "ada"))
        self.said(self.program("sarif"), "--check", "error", "summary", self.file("sarif", "ben"), status=2)  # so many

    def test_gslocal(self):
        self.assertIn("20.00 / 20.00", self.said(PYTHON, "-c", GRADESCOPE, self.file("gradescope", "ada")))
        self.assertIn("5.00 / 20.00", self.said(PYTHON, "-c", GRADESCOPE, self.file("gradescope", "=cleo,\"x\"")))

    def test_check_jsonschema(self):
        file = self.write("grade.json", book.text_of(self.book))
        self.said(self.program("check-jsonschema"), "--schemafile", SCHEMA, file)
        wrong = self.write("wrong.json", json.dumps({**self.book, "students": 3}))
        self.said(self.program("check-jsonschema"), "--schemafile", SCHEMA, wrong, status=1)

    def test_finalgrade(self):
        filled, _ = gradebook.fill(test_gradebook.CANVAS.encode(), "canvas.csv", self.made(grades=test_gradebook.GRADES))
        write_atomically(self.folder / "canvas.csv", filled.decode())
        said = self.said(PYTHON, "-c", CANVAS, self.folder / "canvas.csv").split()
        self.assertEqual(said, ["True", "student,cudaworkbook,other,stage03:shared", "u1,20.0,4.0,10.0", "u2,0.0,0.0,0.0", "u3,0.0,0.0,0.0"])


if __name__ == "__main__":
    unittest.main()
