# SPDX-License-Identifier: MIT
"""A small class of every kind of submission, graded by the command as an instructor types it. tests/course/class/make_class.py
makes it, and a class of 200 by the same lines."""

import json
import os
import subprocess
import sys
import unittest

import support
from grade import walls

MAKER = support.ROOT / "tests" / "course" / "class" / "make_class.py"


class Class(walls.WallCase):
    def run_script(self, script, *words):
        command = [sys.executable, "-B", str(script), *map(str, words)]
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=500, env={**os.environ, "NO_COLOR": "1"})

    def graded(self, *words):
        return self.run_script(support.ROOT / "scripts" / "workbook", "grade", self.folder / "class", "--built", "--stages", "3", *words)

    @unittest.skipUnless(walls.BUILD == support.ROOT / "build" / "default", "the command grades with the default build alone")
    def test_a_class(self):
        made = self.run_script(MAKER, self.folder, "--students", "9", "--stages", "3", "--seed", "4", "--alike")
        self.assertEqual(made.returncode, 0, made.stderr)
        out = self.folder / "grades"
        first = self.graded("--out", out, "--roster", self.folder / "roster.csv", "--task", "1/2", "--seed", "5")
        self.assertEqual((first.returncode, first.stdout), (0, ""), first.stderr)
        rest = self.graded("--out", out, "--roster", self.folder / "roster.csv", "--export", "gradescope", "csv")
        self.assertEqual(rest.returncode, 0, rest.stderr)
        self.assertIn("leads out of the submission: it is not taken", rest.stderr)
        checked = self.run_script(MAKER, self.folder, "--check", out / "grade.json")
        self.assertEqual((checked.returncode, checked.stdout), (0, "each grade is as it must be\n"))
        once_more = self.graded("--out", out, "--roster", self.folder / "roster.csv", "--collect", "--compare", out)
        self.assertIn("No grade has changed", once_more.stdout)
        found = json.loads((out / "grade.json").read_text(encoding="utf-8"))
        self.assertEqual(len(found["students"]), 9)
        self.assertEqual((out / "seed").stat().st_mode & 0o777, 0o600)
        self.assertEqual(len(list((out / "exports" / "gradescope").iterdir())), 9)


if __name__ == "__main__":
    unittest.main()
