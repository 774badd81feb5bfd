# SPDX-License-Identifier: MIT
"""Where a stage stands on the roofline: by definition, in the drawing, and what the lessons work out by hand."""

import unittest

import support
from workbook_lib.measure import lesson_blocks, roofline

FIGURES = lesson_blocks.Figures(support.ROOT / "scripts" / "measured")


def own(**changes):
    values = {"stage": 7, "size": 64, "intensity": 2.0, "gflop_s": 4096.0, "copy_gb_s": 4096.0, "peak_gflop_s": 65536.0, **changes}
    return roofline.Stand(**values)


class Drawing(unittest.TestCase):
    def lines(self, stand):
        return roofline.drawing(stand).splitlines()

    def test_a_stage_stands_at_its_intensity_and_speed(self):
        (line,) = (line for line in self.lines(own()) if "[7]" in line)
        self.assertTrue(line.startswith("   4,096 |"))
        ticks = next(line for line in self.lines(own()) if line.split()[:2] == ["0.25", "0.5"])
        self.assertLessEqual(abs(line.index("7]") - ticks.index(" 2 ") - 1), 1)

    def test_the_roof_is_a_slope_and_then_level(self):
        level = [line for line in self.lines(own()) if "--" in line and "|" in line]
        self.assertEqual([line.split()[0] for line in level], ["65,536"])
        self.assertIn("/-", level[0].replace("//", "/"))

    def test_what_is_outside_is_drawn_at_the_edge(self):
        for stand in (own(intensity=1e9, gflop_s=1e9), own(intensity=1e-9, gflop_s=1e-9)):
            self.assertEqual(sum("[7]" in line for line in self.lines(stand)), 1)


class Measured(unittest.TestCase):
    def test_intensities_are_those_that_the_lessons_work_out(self):
        worked_out = {"stage17": 64 / 160, "stage18": 65536 / 8192, "stage19": 32768 / 1024, "stage20": 32.0, "stage21": 65536 / 1536}
        worked_out.update(stage22=4096 / 384, stage23=4096 / 384, stage24=4 / 12)
        for stage, intensity in worked_out.items():
            stand = roofline.stand(FIGURES.bench(), FIGURES.counters["stages"], stage)
            self.assertAlmostEqual(stand.intensity, intensity, places=3, msg=stage)

    def test_what_was_not_measured_has_no_place(self):
        self.assertIsNone(roofline.text(FIGURES.bench(), FIGURES.counters["stages"], "stage21", "3x3x3"))
        self.assertIsNone(roofline.text(FIGURES.bench(), FIGURES.counters["stages"], "stage99"))


if __name__ == "__main__":
    unittest.main()
