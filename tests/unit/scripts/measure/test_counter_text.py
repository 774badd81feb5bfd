# SPDX-License-Identifier: MIT
"""The table of counters beside the measured times: no step may look like a loss that is none."""

import unittest

import support
from workbook_lib.course import stages
from workbook_lib.measure import counter_text, lesson_blocks

LEAST_GAIN = 0.9  # of a figure before
LEAST_BOUGHT = 1.02  # times as fast: less is the noise of two medians


class Ladder(unittest.TestCase):
    def setUp(self):
        figures = lesson_blocks.Figures(support.ROOT / "scripts" / "measured")
        self.bench, self.sizes = figures.bench(), figures.lesson_sizes()
        table = counter_text.ladder(figures.counters, stages.read_stages(support.ROOT)).split("\n\n")[0]
        head, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines())
        self.rows = [(int(row[0][1:3]), dict(zip(head[2:], row[2:]))) for row in rows]

    def steps(self):
        """The programs whose stage is measured against the one before, with both rows of counters."""
        for (_, before), (number, after) in zip(self.rows, self.rows[1:]):
            program = self.bench.find(f"answer-stage{number:02}")
            bought = program and self.bench.speedup(program, self.sizes[program.name[len("answer-") :]])
            if bought is not None:
                yield number, bought, before, after

    @staticmethod
    def fallen(before, after):
        figures = [{name: float(cell.replace(",", "").replace("-", "0")) for name, cell in row.items()} for row in (before, after)]
        return [name for name, old in figures[0].items() if figures[1][name] < LEAST_GAIN * old]

    def test_each_step_that_bought_time_has_a_column_that_shows_why(self):
        steps = list(self.steps())
        self.assertGreater(len(steps), 8)
        for number, bought, before, after in steps:
            if bought > LEAST_BOUGHT:
                with self.subTest(stage=number):
                    self.assertTrue(self.fallen(before, after), (before, after))

    def test_the_two_steps_that_once_looked_like_losses(self):
        shown = {number: self.fallen(before, after) for number, _, before, after in self.steps()}
        self.assertEqual(shown[2], ["integer divisions an element"])
        self.assertEqual(shown[10], ["atomic updates"])


if __name__ == "__main__":
    unittest.main()
