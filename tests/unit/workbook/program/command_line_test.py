#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A stage's program from outside: exit statuses, one clear line for each mistake, text and JSON, a machine without a device.

Usage: command_line_test.py gpu|simulator ANSWER_PROGRAM TODO_PROGRAM"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Dict, Optional

DEVICE, ANSWER, TODO = sys.argv.pop(1), sys.argv.pop(1), sys.argv.pop(1)


def run(program: str, *options: str, environment: Optional[Dict[str, str]] = None) -> subprocess.CompletedProcess:
    return subprocess.run(
        [program, *options], env=environment, timeout=100, check=False, text=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


class CommandLine(unittest.TestCase):
    def expect_mistake(self, *options: str) -> str:
        ended = run(ANSWER, *options)
        self.assertEqual(ended.returncode, 2, ended)
        self.assertEqual(ended.stdout, "")
        self.assertRegex(ended.stderr, r"\Aerror: [^\n]+\n\Z")
        return ended.stderr

    def test_a_pipe_that_is_named_for_the_report_is_written_into_and_stays(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for option, setting in (("--json", {}), ("", {"CUDASIM_REPORT": f"{folder}/pipe"})):
                if setting and DEVICE == "gpu":
                    continue
                pipe, words = Path(folder) / "pipe", [option, f"{folder}/pipe"] if option else []
                os.mkfifo(pipe)
                command = [ANSWER, "--size", "33", *words]
                with subprocess.Popen(command, env={**os.environ, **setting}, stdout=subprocess.DEVNULL) as process:
                    found = json.loads(pipe.read_text(encoding="utf-8"))
                self.assertEqual((process.returncode, pipe.is_fifo(), bool(found)), (0, True, True))
                pipe.unlink()

    def test_mistakes(self) -> None:
        self.assertIn("--sise", self.expect_mistake("--sise", "4"))
        self.assertIn("negative", self.expect_mistake("--size", "-4"))
        self.assertIn("whole number", self.expect_mistake("--size", "four"))
        self.assertIn("power of two", self.expect_mistake("--block-size", "48"))
        self.assertIn("one-hot", self.expect_mistake("--distribution", "gauss"))

        self.assertIn("more than once", self.expect_mistake("--size", "4", "--size", "5"))
        self.assertIn("--sise", self.expect_mistake("--json", "--sise", "4"))
        self.assertIn("hostile", self.expect_mistake("--cases", "slow"))
        self.assertIn("no byte", self.expect_mistake("--poison", "0x100"))
        self.assertIn("seconds", self.expect_mistake("--time-limit", "-1"))

    def test_a_size_that_no_device_holds(self) -> None:
        ended = run(ANSWER, "--size", "100000000000000")
        self.assertEqual(ended.returncode, 2, ended)
        self.assertRegex(ended.stderr, r"\Aerror: --size 100000000000000 asks for about \d+ bytes [^\n]* has \d+ bytes[^\n]*\n\Z")

    def test_help(self) -> None:
        ended = run(ANSWER, "--help")
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertIn("--block-size", ended.stdout)

    def test_an_answer_matches(self) -> None:
        ended = run(ANSWER, "--size", "5000", "--block-size", "64")
        self.assertEqual(ended.returncode, 0, ended)
        self.assertIn("Stage 1 reduction matches reference ✅\n", ended.stdout)
        self.assertIn("Input size: 5000 floats", ended.stdout)
        time_line = "Simulation time (host clock, not a GPU time) :" if DEVICE == "simulator" else "GPU time :"
        self.assertIn(f"\n  {time_line} ", ended.stdout)
        self.assertEqual(DEVICE == "simulator", "Device: Simulated" in ended.stdout)

    def test_json(self) -> None:
        ended = run(ANSWER, "--size", "5000", "--seed", "3", "--distribution", "exact", "--json")
        self.assertEqual(ended.returncode, 0, ended)
        report = json.loads(ended.stdout)
        self.assertTrue(report["matches"])
        self.assertEqual((report["stage"], report["size"], report["seed"]), (1, 5000, 3))
        self.assertEqual(report["cpu_sum"], report["gpu_sum"])
        self.assertEqual(report["time_kind"], "simulation" if DEVICE == "simulator" else "gpu")

    def test_json_in_a_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "report.json")
            ended = run(ANSWER, "--size", "5000", "--json", file)
            self.assertEqual((ended.returncode, ended.stderr), (0, ""), ended)
            self.assertIn("matches reference", ended.stdout)
            with open(file, encoding="utf-8") as report:
                self.assertTrue(json.load(report)["matches"])
            self.assertEqual(os.listdir(folder), ["report.json"])
            ended = run(ANSWER, "--size", "5000", "--json", os.path.join(folder, "none", "report.json"))
            self.assertEqual(ended.returncode, 2, ended)
            self.assertRegex(ended.stderr, r"\Aerror: cannot write [^\n]+\n\Z")
            self.assertIn("matches reference", ended.stdout)

    def test_cases(self) -> None:
        described = run(ANSWER, "--describe")
        self.assertEqual((described.returncode, described.stderr), (0, ""))
        cases = json.loads(described.stdout)["cases"]
        ended = run(ANSWER, "--cases", "quick", "--time-limit", "90")
        self.assertEqual((ended.returncode, ended.stderr), (0, ""), ended)
        self.assertEqual(ended.stdout, f"Stage 1 reduction matches reference ✅ in {cases['quick']} cases\n")

    def test_it_says_when_its_file_is_no_longer_what_it_was_built_from(self) -> None:
        self.assertEqual(run(ANSWER, "--describe").stderr, "")
        answer = Path(ANSWER)
        copy = answer.parents[1] / "stages" / f"{answer.name.replace('-', '_')}.built-from"
        text, times = copy.read_bytes(), (copy.stat().st_atime_ns, copy.stat().st_mtime_ns)
        try:
            copy.write_bytes(text + b"// as it was\n")
            ended = run(ANSWER, "--describe")
        finally:
            copy.write_bytes(text)
            os.utime(copy, ns=times)
        self.assertEqual(ended.returncode, 0)
        words = "warning: answers/stage01/solution.cu has changed since this program was built: build it again\n"
        self.assertEqual(ended.stderr, words)

    def test_a_todo_is_unsolved(self) -> None:
        ended = run(TODO, "--size", "5000", "--json")
        if ended.returncode == 0:
            self.skipTest("somebody has solved stage 01 here")
        self.assertEqual(ended.returncode, 77, ended)
        self.assertRegex(ended.stderr, r"\AStage 1 is not solved yet: stages/stage01/todo\.cu:\d+: \S[^\n]*\n\Z")
        report = json.loads(ended.stdout)
        self.assertEqual((report["matches"], report["error_kind"]), (False, "unsolved"))

    def test_without_a_device(self) -> None:
        # Without the simulator's library path the program meets the toolkit's own runtime, which here may see no GPU.
        environment = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
        environment["CUDA_VISIBLE_DEVICES"] = "-1"
        for options in (("--size", "5000"), ("--cases", "quick")):
            ended = run(ANSWER, *options, "--json", environment=environment)
            self.assertEqual(ended.returncode, 3, ended)
            self.assertRegex(ended.stderr, r"\Aerror: no CUDA device to run on: [^\n]+\n\Z")
            self.assertIn("scripts/workbook run", ended.stderr)
            self.assertIn("scripts/workbook doctor", ended.stderr)
            self.assertEqual(json.loads(ended.stdout)["error_kind"], "device-error")
        ended = run(ANSWER, "--describe", environment=environment)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""), ended)
        self.assertEqual(json.loads(ended.stdout)["problem"], "reduction")


if __name__ == "__main__":
    unittest.main()
