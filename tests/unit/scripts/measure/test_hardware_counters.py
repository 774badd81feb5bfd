# SPDX-License-Identifier: MIT
"""What counts as equal to a GPU's figure."""

import unittest

import support  # noqa: F401
from workbook_lib.measure import hardware_counters

COUNTER = "global_load_sectors"


class Problems(unittest.TestCase):
    def problems(self, gpu, simulator, differs=None):
        measured = {"metrics": {COUNTER: "name"}, "kernels": {"a": {COUNTER: gpu} if gpu else {}}}
        return hardware_counters.problems_of(measured, {"a": {COUNTER: simulator}}, differs or {}, "differs.json")

    def test_equal_figures_are_none(self):
        self.assertEqual(self.problems(4, 4), [])
        self.assertEqual(self.problems(None, 0), [])

    def test_a_difference_names_kernel_counter_and_both_figures(self):
        self.assertEqual(self.problems(4, 5), ["a: global_load_sectors: GPU 4, simulator 5"])

    def test_noise_is_what_the_runs_differed_by(self):
        self.assertEqual(self.problems([4, 6], 5), [])
        self.assertEqual(len(self.problems([4, 6], 7)), 1)

    def test_a_known_difference_must_be_the_one_that_is_known(self):
        differs = {"why": {"a": {COUNTER: 5}}}
        self.assertEqual(self.problems(4, 5, differs), [])
        self.assertEqual(len(self.problems(4, 6, differs)), 1)
        self.assertEqual(len(self.problems(5, 5, differs)), 1, "no longer a difference")

    def test_a_known_difference_of_no_kernel_is_stale(self):
        self.assertEqual(len(self.problems(4, 4, {"why": {"b": {COUNTER: 5}}})), 1)

    def test_both_sides_must_have_the_same_kernels(self):
        measured = {"metrics": {}, "kernels": {"a": {}}}
        self.assertEqual(hardware_counters.problems_of(measured, {"b": {}}, {}, "differs.json"), ["a: only measured", "b: only simulated"])


if __name__ == "__main__":
    unittest.main()
