# SPDX-License-Identifier: MIT
"""Each file of tests/cheats gets the status that its third line says, and no points. The answer is solved, and the file
that is handed out is not."""

import re
import unittest
from unittest import mock

import support
from grade import walls
from workbook_lib.base.errors import WorkbookError
from workbook_lib.course import stages
from workbook_lib.grade import grading, program
from workbook_lib.grade.wall.wall import open_wall

CHEATS = support.ROOT / "tests" / "cheats"
HEAD = re.compile(r"// cheat: .+\n// stage: (\d+)\n// says: (.+)\n")
SEED = 20261128


class Cheats(walls.WallCase):
    def graded(self, wall, number, text):
        stage = next(each for each in stages.read_stages(support.ROOT) if each.number == number)
        return grading.of_stage(wall, support.ROOT, walls.BUILD, stage, text, SEED)

    def test_cheats(self):
        files = sorted(CHEATS.glob("*.cu"))
        self.assertGreater(len(files), 20)
        with open_wall(walls.HELPER) as wall:
            for file in files:
                with self.subTest(file.stem):
                    text = file.read_text(encoding="utf-8")
                    number, status = HEAD.match(text).groups()
                    found = self.graded(wall, int(number), text.encode())
                    self.assertEqual(found.status, status, found)
                    self.assertNotEqual(status, grading.SOLVED)

    def test_what_the_grader_cannot_start_is_no_zero(self):
        answer = (support.ROOT / "answers/stage03/solution.cu").read_bytes()
        with open_wall(walls.HELPER) as wall, mock.patch.object(program, "WINDOW_BYTES", -1):
            with self.assertRaisesRegex(WorkbookError, "could not be started"):
                self.graded(wall, 3, answer)

    def test_answer_and_todo(self):
        with open_wall(walls.HELPER) as wall:
            for number in (1, 3):
                answer = (support.ROOT / f"answers/stage{number:02}/solution.cu").read_bytes()
                todo = (support.ROOT / f"stages/stage{number:02}/todo.cu").read_bytes()
                found = self.graded(wall, number, answer)
                self.assertEqual(found.status, grading.SOLVED, found)
                self.assertEqual(self.graded(wall, number, answer), found)  # the same once more
                self.assertEqual(self.graded(wall, number, todo).status, grading.NOT_SOLVED)
            self.assertEqual(self.graded(wall, 1, None).status, grading.MISSING)


if __name__ == "__main__":
    unittest.main()
