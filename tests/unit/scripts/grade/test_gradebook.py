# SPDX-License-Identifier: MIT
"""The exports of three learning management systems, filled in. They are read again by the rules of their importers."""

import csv
import io
import unittest

import support
from grade import books
from workbook_lib.base.errors import WorkbookError
from workbook_lib.grade import book, grading
from workbook_lib.grade.exports import gradebook
from workbook_lib.grade.grading import StageGrade

GRADES = {name: books.GRADES[name] for name in ("ada", "ben", "dora")}
CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,CUDA Workbook (77),stage03: shared (78),Other (79)\r\n"
    "    Points Possible,,,,,20,10,5\r\n"
    '"Lovelace, Ada",101,u1,ADA,"S 1",,1,4\r\n'
    '"B, Ben",102,u2,ben,S 1,3,,\r\n'
    '"D, Dora",103,u3,dora,S 2,,,\r\n'
    '"Student, Test",104,,x,S 2,,,\r\n'
)
MOODLE = "\ufeffFirst name;Last name;ID number;Email address;Assignment: CUDA Workbook (Real);Assignment: stage01 (Real)\nA;L;1;ada;-;\nB;B;ben;b@x;-;\nD;D;dora;d@x;-;5\n"
BLACKBOARD = (
    '"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"CUDA Workbook [Total Pts: 20 Score] |234"\t"stage01 [Total Pts: 10 Score] |235"\r\n'
    '"L"\t"A"\t"ada"\t"1"\t""\t""\r\n"B"\t"B"\t"ben"\t"2"\t""\t""\r\n"D"\t"D"\t"x"\t"dora"\t""\t""\r\n'
)


class Gradebook(books.BookCase):
    def filled(self, text, encoding="utf-8", grades=GRADES):
        content, said = gradebook.fill(text.encode(encoding), "export.csv", self.made(grades=grades))
        return content.decode(encoding), said

    def rows(self, text, delimiter=","):
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))

    def test_canvas(self):
        """Its importer: column 0 has 'Student', column 1 'ID', the column before the assignments 'Section'; an assignment's
        id is in its header; students are found by their ids."""
        text, said = self.filled(CANVAS)
        before, after = self.rows(CANVAS), self.rows(text)
        self.assertEqual(after[:2], before[:2])
        self.assertEqual([row[:5] for row in after], [row[:5] for row in before])
        self.assertEqual([row[5:] for row in after[2:]], [["20.00", "10.00", "4"], ["0.00", "0.00", ""], ["0.00", "0.00", ""], ["", "", ""]])
        self.assertEqual(said, ["Canvas: 3 students, in the columns CUDA Workbook (77), stage03: shared (78)"])
        self.assertTrue(text.endswith("\r\n"))

    def test_moodle(self):
        text, _ = self.filled(MOODLE)
        self.assertEqual(text[0], "\ufeff")
        self.assertEqual([row[4:] for row in self.rows(text[1:], ";")[1:]], [["20.00", "10.00"], ["0.00", "0.00"], ["0.00", "0.00"]])

    def test_blackboard_has_tabs_and_utf_16(self):
        content, _ = gradebook.fill(BLACKBOARD.encode("utf-16"), "export.xls", self.made(grades=GRADES))
        text = content.decode("utf-16")
        self.assertEqual([row[4:] for row in self.rows(text, "\t")[1:]], [["20.00", "10.00"], ["0.00", "0.00"], ["0.00", "0.00"]])
        self.assertEqual(text.splitlines()[0], BLACKBOARD.splitlines()[0])

    def test_who_has_no_grade_keeps_what_is_there(self):
        text, said = self.filled(CANVAS, grades={**GRADES, "ben": [StageGrade("stage01", grading.GRADER_ERROR), GRADES["ben"][1]]})
        self.assertEqual(self.rows(text)[3], self.rows(CANVAS)[3])
        self.assertIn("ben has no grade because of the grader's own error", said[1])

    def test_the_command_writes_it_beside_the_grades_and_never_over_it(self):
        self.write("grades/grade.json", book.text_of(self.made(grades=GRADES)))
        mine = self.write("grades/canvas.csv", CANVAS)
        words = ("grade", "--from", self.folder / "grades", "--gradebook", mine)
        status, output, _ = support.run_workbook(support.ROOT, *words, "--out", self.folder / "filled")
        self.assertEqual(status, 0)
        self.assertIn("Canvas: 3 students", output)
        self.assertIn("20.00,10.00", (self.folder / "filled/canvas.csv").read_text(encoding="utf-8"))
        status, _, messages = support.run_workbook(support.ROOT, *words)
        self.assertEqual((status, mine.read_text(encoding="utf-8")), (2, CANVAS.replace("\r\n", "\n")), messages)

    def test_half_of_a_hundredth_goes_up(self):
        self.assertEqual([gradebook.two_digits(each) for each in (0, 4, 5, 7125, 9995, 10000)], ["0.00", "0.00", "0.01", "7.13", "10.00", "10.00"])

    def test_what_is_refused(self):
        for text, message in (
            (CANVAS.replace("dora", "nora"), "export.csv has no row for dora: their names must stand in one of the columns sis login id"),
            (CANVAS.replace(",x,S 2", ",dora,S 2"), "'dora' names 2 students of the export"),
            (CANVAS.replace("101,u1,ADA", "101,ben,ADA").replace("102,u2,ben", "102,u2,q"), "these submissions are of one student"),
            (CANVAS.replace("CUDA Workbook", "Work").replace("stage03", "x"), "no column has the title 'CUDA Workbook'"),
            (CANVAS.replace("Other", "stage03 again"), "these columns would have the same points"),
            (CANVAS.replace(",20,10,5", ",100,10,5"), "has 100 points in the course, and 20 here"),
            (BLACKBOARD.replace("Pts: 10", "Pts: 11"), "has 11 points in the course, and 10 here"),
            ("a,b\n1,2\n", "is no export of Canvas, Moodle or Blackboard: its columns are a, b"),
            ("", "is empty"),
        ):
            with self.subTest(message), self.assertRaisesRegex(WorkbookError, message):
                self.filled(text)
        with self.assertRaisesRegex(WorkbookError, "is no UTF-8"):
            gradebook.fill(b"\xff\x00\xe4", "export.csv", self.made())


if __name__ == "__main__":
    unittest.main()
