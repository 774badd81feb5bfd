# SPDX-License-Identifier: MIT
"""The file that is made of the numbers of a GPU."""

import json
import unittest

import support  # noqa: F401
from workbook_lib.measure import calibration


def run(value, table=None):
    numbers = {"latency_l1": {"value": value, "source": "a ring"}}
    return {"device": "Tesla T4", "parameters": numbers, "tensor": {}, "tables": {"by_size": table or {"16": value, "8": value}}}


class Parameters(unittest.TestCase):
    def test_a_number_is_the_median_and_says_where_it_is_from(self):
        found = calibration.parameters([run(30), run(50), run(40.00001)], 75, "2026-01-02")
        self.assertEqual(found["parameters"], {"latency_l1": {"value": 40, "source": "scripts/workbook calibrate, 2026-01-02: a ring"}})
        self.assertEqual((found["name"], found["gpu"], found["status"]), ("t4", "t4", "measured"))

    def test_a_number_that_was_not_measured_is_left_out(self):
        self.assertEqual(calibration.parameters([run(0)], 75, "")["parameters"], {})

    def test_a_table_has_its_rows_by_size(self):
        self.assertEqual(list(calibration.tables([run(1), run(3)])["by_size"].items()), [("8", 2), ("16", 2)])

    def test_the_text_is_json(self):
        found = calibration.parameters([run(30)], 75, "2026-01-02")
        self.assertEqual(json.loads(calibration.text(found)), found)

    def test_the_committed_file_is_what_its_own_numbers_make(self):
        text = (calibration.Path(__file__).parents[4] / "scripts/measured/calibrate_h200.json").read_text()
        self.assertEqual(calibration.text(json.loads(text)), text)


class Gpus(unittest.TestCase):
    def test_a_known_gpu_is_simulated_as_itself(self):
        self.assertEqual(calibration.simulated_as("NVIDIA H200", 90), "h200")

    def test_another_one_as_one_with_its_capability_or_the_next_lower(self):
        self.assertEqual(calibration.simulated_as("NVIDIA GeForce RTX 4070", 89), "l4")
        self.assertEqual(calibration.simulated_as("NVIDIA RTX PRO", 103), "h200")
        self.assertEqual(calibration.simulated_as("Tesla V100", 70), "t4")

    def test_a_name_is_short(self):
        self.assertEqual(calibration.short_name("NVIDIA GeForce RTX 4070"), "rtx4070")


if __name__ == "__main__":
    unittest.main()
