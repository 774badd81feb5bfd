# SPDX-License-Identifier: MIT
"""Counters that no right program can have, and those of small inputs, which say nothing."""

import unittest

import support  # noqa: F401  (puts the scripts on the path)
from workbook_lib.grade import floors

ANSWER = {"global_load_sectors": 2105376, "global_store_sectors": 65793, "thread_instructions": 1650548991}


def problem(counters, **work):
    return floors.problem({"work": {"unit": "floats", **work}}, {"kernels": [{"counters": counters}]})


class Floors(unittest.TestCase):
    def test_what_no_right_program_does(self):
        self.assertEqual(problem(ANSWER, bytes_read=67108864.0, elements=1 << 24), "")
        self.assertIn("load 67,108,832 bytes", problem({**ANSWER, "global_load_sectors": 2097151}, bytes_read=2.0 * 67108864))
        self.assertIn("store 64 bytes, and the result has 65,536", problem({**ANSWER, "global_store_sectors": 2}, bytes_read=65536.0, bytes_written=65536.0))
        self.assertIn("execute 99 instructions for 16,777,216 floats", problem({"thread_instructions": 99}, elements=1 << 24))
        self.assertIn("no kernel", floors.problem({"work": {"bytes_read": 65536.0}}, {"kernels": []}))

    def test_other_ways_to_read_and_to_write_count(self):
        self.assertEqual(problem({"global_atomic_sectors": 2048}, bytes_read=65536.0, bytes_written=65536.0), "")
        self.assertEqual(problem({"global_load_sectors": 2048, "global_reduction_sectors": 2048}, bytes_read=65536.0, bytes_written=65536.0), "")

    def test_a_search_may_leave_sectors_out_and_small_inputs_say_nothing(self):
        self.assertEqual(problem({"global_load_sectors": 1600}, bytes_read=65536.0), "")
        self.assertEqual(problem({}, bytes_read=4000.0, bytes_written=4.0, elements=1000), "")
        self.assertEqual(floors.problem({}, {}), "")


if __name__ == "__main__":
    unittest.main()
