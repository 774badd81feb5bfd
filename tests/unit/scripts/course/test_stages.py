# SPDX-License-Identifier: MIT
"""The list of stages and the choice of some of them."""

import unittest

import support
from workbook_lib.base.errors import WorkbookError
from workbook_lib.course.stages import Stage, read_stages, select

LIST = """
# workbook_stage(stage99 PROBLEM reduction TITLE "a comment")
workbook_stage(stage01 PROBLEM reduction TITLE "global memory only")
workbook_stage(stage02
  PROBLEM reduction
  TITLE "no filter")
  workbook_stage(stage03 PROBLEM reduction COUNTERS barriers TITLE "shared memory (modulo)")
"""


class ReadStages(support.ScratchCase):
    def read(self, text):
        (self.folder / "stages").mkdir()
        (self.folder / "stages" / "CMakeLists.txt").write_text(text, encoding="utf-8")
        return read_stages(self.folder)

    def test_reads_number_and_title_in_course_order(self):
        stages = self.read(LIST)
        self.assertEqual([stage.number for stage in stages], [1, 2, 3])
        self.assertEqual(
            [stage.title for stage in stages], ["global memory only", "no filter", "shared memory (modulo)"]
        )

    def test_names_targets_and_programs(self):
        first = self.read(LIST)[0]
        self.assertEqual((first.target("answer"), first.program("todo")), ("answer_stage01", "todo-stage01"))

    def test_an_empty_list_is_an_error(self):
        with self.assertRaisesRegex(WorkbookError, "lists no stage"):
            self.read("")

    def test_a_missing_list_is_an_error(self):
        with self.assertRaisesRegex(WorkbookError, "cannot read"):
            read_stages(self.folder)

    def test_the_course_itself_is_read(self):
        numbers = [stage.number for stage in read_stages(support.ROOT)]
        self.assertEqual(numbers[:6], [0, 1, 2, 3, 4, 5])
        self.assertEqual(len(numbers), len(list(support.ROOT.glob("stages/stage*/"))))


class Select(unittest.TestCase):
    stages = [Stage(f"stage{number:02}", number, "") for number in range(1, 7)]

    def numbers(self, *words):
        return [stage.number for stage in select(self.stages, words)]

    def test_numbers_ranges_and_names(self):
        self.assertEqual(self.numbers(), [1, 2, 3, 4, 5, 6])
        self.assertEqual(self.numbers("3"), [3])
        self.assertEqual(self.numbers("3-5"), [3, 4, 5])
        self.assertEqual(self.numbers("5", "1-2", "2"), [1, 2, 5])
        self.assertEqual(self.numbers("stage04", "06"), [4, 6])

    def test_what_names_no_stage_is_refused_with_status_2(self):
        for word in ("7", "0", "1-7", "5-3", "x", "-1", "1-", "1.5", ""):
            with self.subTest(word), self.assertRaises(WorkbookError) as caught:
                self.numbers(word)
            self.assertEqual(caught.exception.status, 2)
            self.assertNotIn("\n", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
