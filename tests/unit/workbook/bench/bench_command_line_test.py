#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A benchmark program from outside: exit statuses, one clear line for each mistake, and JSON.

Usage: bench_command_line_test.py gpu|simulator ANSWER_PROGRAM IN_PLACE_ANSWER_PROGRAM TODO_PROGRAM"""

from __future__ import annotations

import json
import subprocess
import sys
import unittest

DEVICE, ANSWER, IN_PLACE, TODO = (sys.argv.pop(1) for _ in range(4))


def run(program: str, *options: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [program, *options], timeout=100, check=False, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip


class BenchCommandLine(unittest.TestCase):
    def expect_mistake(self, *options: str) -> str:
        ended = run(ANSWER, *options)
        self.assertEqual(ended.returncode, 2, ended)
        self.assertEqual(ended.stdout, "")
        self.assertRegex(ended.stderr, r"\Aerror: [^\n]+\n\Z")
        return ended.stderr

    def test_mistakes(self) -> None:
        self.assertIn("--size; did you mean --sizes?", self.expect_mistake("--size", "4"))
        self.assertIn("whole number", self.expect_mistake("--sizes", "4,five"))
        self.assertIn("power of two", self.expect_mistake("--block-size", "48"))
        self.assertIn("at least 1", self.expect_mistake("--samples", "0"))
        self.assertIn("2 extents", self.expect_mistake("--sizes", "64x64"))
        self.assertIn("--misalign", self.expect_mistake("--check-only", "--misalign", "1"))

    def test_a_simulated_gpu_is_refused(self) -> None:
        if DEVICE != "simulator":
            self.skipTest("there is a GPU here")
        self.assertIn("--check-only", self.expect_mistake("--sizes", "1024"))

    def test_help(self) -> None:
        ended = run(ANSWER, "--help")
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertIn("--check-only", ended.stdout)

    def test_check_only(self) -> None:
        ended = run(ANSWER, "--check-only", "--sizes", "1,4099", "--block-size", "64", "--json")
        self.assertEqual(ended.returncode, 0, ended)
        report = json.loads(ended.stdout)
        self.assertEqual((report["stage"], report["block_size"], report["matches"]), (7, 64, True))
        self.assertEqual(report["simulated"], DEVICE == "simulator")
        self.assertEqual(len(report["peers"]), 1)
        self.assertRegex(report["peers"][0], r"\Acub::DeviceReduce::Sum, CUB \d+\.\d+\.\d+\Z")
        self.assertIsNone(report["copy_gb_s"])
        self.assertIsNone(report["empty_launch_us"])
        self.assertEqual([row["size"] for row in report["sizes"]], [1, 4099])
        for row in report["sizes"]:
            self.assertTrue(row["matches"])
            self.assertFalse(row["in_place"])
            self.assertNotIn("time_us", row)
            self.assertLess(row["error_u"], 100)
            self.assertEqual([peer["name"] for peer in row["peers"]], report["peers"])
            self.assertLess(row["peers"][0]["error_u"], 100)

    def test_a_stage_that_works_in_place_is_found_out(self) -> None:
        ended = run(IN_PLACE, "--check-only", "--sizes", "5,5000", "--json")
        self.assertEqual(ended.returncode, 0, ended)
        self.assertEqual([row["in_place"] for row in json.loads(ended.stdout)["sizes"]], [True, True])

    def test_a_size_that_no_device_holds_is_skipped(self) -> None:
        ended = run(ANSWER, "--check-only", "--sizes", "100000000000000,5", "--json")
        self.assertEqual(ended.returncode, 0, ended)
        skipped, row = json.loads(ended.stdout)["sizes"]
        self.assertRegex(skipped["skipped"], r"\Aneeds \d+ bytes, \d+ are free\Z")
        self.assertNotIn("matches", skipped)
        self.assertTrue(row["matches"])

    def test_a_todo_is_unsolved(self) -> None:
        ended = run(TODO, "--check-only", "--json")
        if ended.returncode == 0:
            self.skipTest("somebody has solved stage 07 here")
        self.assertEqual(ended.returncode, 77, ended)
        self.assertRegex(ended.stderr, r"\AStage 7 is not solved yet: \S[^\n]*\n\Z")
        self.assertEqual(json.loads(ended.stdout)["error_kind"], "unsolved")

    def test_times(self) -> None:
        if DEVICE != "gpu":
            self.skipTest("a simulated GPU has no times")
        for program in (ANSWER, IN_PLACE):
            ended = run(program, "--sizes", "1024,1048576", "--samples", "5", "--json")
            self.assertEqual(ended.returncode, 0, ended)
            report = json.loads(ended.stdout)
            self.assertGreater(report["copy_gb_s"], 0)
            self.assertGreater(report["empty_launch_us"], 0)
            for row in report["sizes"]:
                self.assertGreaterEqual(row["buffers"] * row["work"]["bytes_read"], 4 * report["l2_bytes"])
                for times in (row["time_us"], row["peers"][0]["time_us"]):
                    self.assertGreater(times["min"], 0)
                    self.assertEqual(sorted(times.values()), [times[key] for key in ("min", "q1", "median", "q3", "max")])
                    # A sample lasts as long as it should, or longer.
                    self.assertGreater(times["median"] * row["batch"], 300)
                if row["in_place"]:
                    self.assertLessEqual(row["batch"], row["buffers"])


if __name__ == "__main__":
    unittest.main()
