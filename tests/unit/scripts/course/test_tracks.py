# SPDX-License-Identifier: MIT
"""The tracks: which stages each has, and what should come before it."""

import unittest
from pathlib import Path

import support
from workbook_lib.base.errors import WorkbookError
from workbook_lib.course.stages import Stage, read_stages
from workbook_lib.course.tracks import numbers, read_tracks, track_of

LIST = """
workbook_track("sums")
workbook_stage(stage01 PROBLEM reduction TITLE "one")
workbook_stage(stage02 PROBLEM reduction TITLE "two")
workbook_track("products" NEEDS "1-2")
workbook_stage(stage03 PROBLEM matmul TITLE "three")
"""


class Tracks(support.ScratchCase):
    def read(self, text):
        (self.folder / "stages").mkdir(exist_ok=True)
        (self.folder / "stages" / "CMakeLists.txt").write_text(text, encoding="utf-8")
        return read_tracks(self.folder)

    def test_a_track_has_the_stages_below_its_line(self):
        sums, products = self.read(LIST)
        self.assertEqual((sums.title, [stage.number for stage in sums.stages], sums.needs), ("sums", [1, 2], ()))
        self.assertEqual((products.title, [stage.number for stage in products.stages]), ("products", [3]))
        self.assertEqual(track_of(self.folder, products.stages[0]), products)

    def test_says_which_of_its_needs_are_not_solved(self):
        sums, products = self.read(LIST)
        one, two = sums.stages
        self.assertEqual(products.missing([]), [one, two])
        self.assertEqual(products.missing([one]), [two])
        self.assertEqual(products.missing([one, two]), [])

    def test_without_tracks_one_has_all(self):
        (only,) = self.read('workbook_stage(stage01 PROBLEM reduction TITLE "one")')
        self.assertEqual((only.title, len(only.stages)), ("", 1))

    def test_a_stage_before_the_first_track_is_an_error(self):
        with self.assertRaisesRegex(WorkbookError, "stage09 stands before"):
            self.read('workbook_stage(stage09 PROBLEM reduction TITLE "nine")' + LIST)

    def test_a_need_that_is_no_stage_is_an_error(self):
        with self.assertRaisesRegex(WorkbookError, "7"):
            self.read(LIST.replace("1-2", "7"))

    def test_the_course_has_each_stage_in_one_track_and_needs_only_earlier_ones(self):
        root = Path(__file__).resolve().parents[4]
        found = read_tracks(root)
        self.assertEqual([stage for track in found for stage in track.stages], read_stages(root))
        for track in found:
            self.assertTrue(track.title and track.stages)
            self.assertTrue(all(need.number < track.stages[0].number for need in track.needs), track.title)

    def test_writes_numbers_as_ranges(self):
        stages = [Stage(f"stage{number:02}", number, "") for number in (3, 4, 6, 8, 9, 10)]
        self.assertEqual(numbers(stages), "3, 4, 6, 8 to 10")


if __name__ == "__main__":
    unittest.main()
