# SPDX-License-Identifier: MIT
"""The times of the ordinary kernels: what is measured, and the committed file."""

import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401
from workbook_lib.measure import kernel_times

FILE = Path(__file__).parents[4] / "scripts/measured/times/ordinary_h200.json"


class Measure(unittest.TestCase):
    def measured(self, *program):
        row = '{"warm_us": [1, 2, 3], "cold_us": [2, 3, 4], "clock_mhz": 1980}'

        self.programs = set()

        def run(command):
            self.programs.add(Path(command[0]).name)
            return "A GPU, 1, 2, 3\n" if command[0] == "nvidia-smi" else f"nothing\t{row}\nsum\t{row}\n"

        launch = {kernel_times.COUNTERS["registers"]: (32, 32)}
        with mock.patch.object(kernel_times, "run", run), mock.patch.multiple(
            kernel_times.hardware_counters, known_metrics=set, kernels_on_gpu=lambda command, metrics, runs: (["sum"], [launch])
        ):
            return kernel_times.measure(Path("build"), *program)

    def test_a_kernel_has_its_times_and_its_counters(self):
        figures = self.measured()
        self.assertEqual(figures["timed"]["sum"]["cold_us"], [2, 3, 4])
        self.assertEqual(figures["timed"]["sum"]["registers"], 32)
        self.assertEqual(figures["metrics"], {"registers": kernel_times.COUNTERS["registers"]}, "others are unknown here")
        self.assertNotIn("nothing", figures["timed"])

    def test_the_unseen_kernels_are_another_program_with_another_command(self):
        figures = self.measured("unseen_kernels")
        self.assertEqual(self.programs, {"nvidia-smi", "unseen_kernels"})
        self.assertEqual(figures["command"], "scripts/compare_gpu --times --unseen --out scripts/measured/times/unseen_h200.json")
        self.assertIn("--times --out scripts/measured/times/ordinary_h200.json", self.measured()["command"])

    def test_what_is_written_is_read_as_it_was(self):
        figures = self.measured()
        with tempfile.TemporaryDirectory() as folder:
            kernel_times.write(Path(folder) / "times.json", figures)
            self.assertEqual(json.loads((Path(folder) / "times.json").read_text()), figures)


class Committed(unittest.TestCase):
    def test_there_are_enough_kernels_and_each_has_all_figures(self):
        figures = json.loads(FILE.read_text())
        self.assertGreaterEqual(len(figures["timed"]), 105)
        self.assertLessEqual(set(figures["timed_again"]), set(figures["timed"]))
        for size in kernel_times.SIZES:
            for name, row in figures[size].items():
                self.assertLessEqual(set(figures["metrics"]) | {"warm_us", "cold_us"}, set(row), name)
                self.assertEqual(sorted(row["cold_us"]), row["cold_us"], name)


if __name__ == "__main__":
    unittest.main()
