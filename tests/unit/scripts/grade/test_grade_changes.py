# SPDX-License-Identifier: MIT
"""Two grade.json of one class: who has another grade, and the reason."""

import unittest

from grade import books
from workbook_lib.grade import compare, grading, rules
from workbook_lib.grade.grading import StageGrade
from workbook_lib.grade.rules import Rules

SOLVED, WRONG = StageGrade("stage01", grading.SOLVED), StageGrade("stage01", grading.WRONG)


class Compare(books.BookCase):
    def one(self, row, **changes):
        return self.made(grades={"ada": [row]}, **changes)

    def reason(self, old, new):
        found = compare.changes(old, new)
        self.assertEqual(len(found), 1, found)
        return found[0]

    def test_each_reason(self):
        old = self.one(WRONG)
        self.assertEqual(compare.changes(old, self.one(WRONG)), [])
        self.assertEqual(compare.text(old, old), "No grade has changed")
        other_file = self.reason(old, self.one(SOLVED, todo=b"better"))
        self.assertEqual((other_file.before, other_file.now, other_file.why), ("0 wrong result", "10 solved", "another file is handed in"))
        self.assertEqual(self.reason(old, self.one(StageGrade("stage01", grading.MISSING))).why, "nothing is handed in now")
        self.assertEqual(self.reason(old, self.one(SOLVED, course="newer")).why, "the course has changed")
        changed = self.one(SOLVED)
        self.assertEqual(self.reason(old, changed).why, compare.NOT_REPEATED)
        changed["students"][0]["stages"][0]["made_of"] = "x"
        self.assertEqual(self.reason(old, changed).why, "another seed, or other rules of the stage")
        right = self.one(SOLVED)
        self.assertEqual(self.reason(right, self.one(SOLVED, rules=Rules(points=20_000))).why, "other points for the stage or its technique")
        late = rules.parse('[late]\ndue = "2027-03-01"\ntable = [[48, 50]]\n', "x")
        self.assertEqual(self.reason(right, self.one(SOLVED, rules=late, roster=self.roster())).why, "other late points")

    def test_who_came_and_who_went(self):
        both = {name: books.GRADES[name] for name in ("ada", "ben")}
        old, new = self.made(grades={"ada": both["ada"]}), self.made(grades=both)
        self.assertEqual(self.reason(old, new).why, "no submission before")
        self.assertEqual(self.reason(new, old).why, "no submission any more")
        self.assertIn("1 of 2 students have another grade", compare.text(old, new))
        self.assertEqual(self.reason(self.one(SOLVED), old).why, "the stage did not count before")


if __name__ == "__main__":
    unittest.main()
