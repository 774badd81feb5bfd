# SPDX-License-Identifier: MIT
"""Results whose input was loaded, and those that come from elsewhere, as both reports tell."""

import unittest

import support  # noqa: F401  (puts the scripts on the path)
from workbook_lib.grade import dataflow

DEVICE = 0x70000000000000
INPUT = {"name": "the input", "address": DEVICE + 4, "bytes": 4000, "needed": 4000, "is_output": False}
RESULT = {"name": "the result", "address": DEVICE + (1 << 20), "bytes": 400, "needed": 400, "is_output": True}


def problem(*arrays, loaded=4000, stored=400, checks=("race", "coverage")):
    covered = [
        {"address": DEVICE, "bytes": 4004, "loaded": loaded, "stored": 0},
        {"address": DEVICE + (1 << 20), "bytes": 400, "loaded": 0, "stored": stored},
    ]
    return dataflow.problem({"arrays": arrays}, {"checks": checks, "coverage": covered})


class Dataflow(unittest.TestCase):
    def test_each_byte_must_be_loaded_and_the_result_stored(self):
        self.assertEqual(problem(INPUT, RESULT), "")
        self.assertEqual(
            problem(INPUT, RESULT, loaded=3996),
            "kernels have loaded 3,996 of 4,000 bytes of the input (input): the result does not come from all of it",
        )
        self.assertIn("stored 0 of 400 bytes of the result (result)", problem(INPUT, RESULT, stored=0))

    def test_memory_that_the_student_allocates_may_be_any(self):
        own = {**INPUT, "address": 0}
        self.assertEqual(problem(own), "")
        self.assertIn("loaded 3,999 of 4,000", problem(own, loaded=3999))
        self.assertIn("loaded 0 of 4,000", problem({**INPUT, "address": DEVICE + 4004}))

    def test_a_search_need_not_load_all(self):
        self.assertEqual(problem({**INPUT, "needed": 8}, loaded=8), "")
        self.assertIn("loaded 4 of 8", problem({**INPUT, "needed": 8}, loaded=4))

    def test_without_the_check_nothing_is_known(self):
        self.assertEqual(problem(INPUT, loaded=0, checks=("race",)), "")
        self.assertEqual(dataflow.problem({}, {"checks": ["coverage"]}), "")


if __name__ == "__main__":
    unittest.main()
