# SPDX-License-Identifier: MIT
"""The command line itself: help, wrong usage, and the steps of a run over stages that are small scripts."""

import argparse
import json
import subprocess
import unittest
from unittest import mock

import support
from workbook_lib import cli, state
from workbook_lib.stages import Stage

STAGES = [Stage("stage01", 1, "first"), Stage("stage02", 2, "second")]


def workbook(*words):
    return subprocess.run([str(support.ROOT / "scripts/workbook"), *words], capture_output=True, text=True, timeout=60)


class CommandLine(unittest.TestCase):
    def test_help_everywhere(self):
        for command in ([], ["run"], ["bench"], ["test"], ["list"], ["doctor"]):
            answer = workbook(*command, "--help")
            self.assertEqual((answer.returncode, answer.stderr), (0, ""), command)
            self.assertIn("usage: scripts/workbook", answer.stdout)

    def test_wrong_usage_is_one_line_and_status_2(self):
        for words in (
            [],
            ["walk"],
            ["run", "--size", "-1"],
            ["run", "--size", "1e6"],
            ["run", "--size", "9223372036854775808"],
            ["run", "--seed", "4294967296"],
            ["run", "--block-size", "33"],
            ["run", "--block-size", "0"],
            ["run", "--block-size", "2048"],
            ["run", "--device", "tpu"],
            ["run", "--frobnicate"],
            ["run", "--check", "races"],
            ["run", "--check", "all,none"],
            ["run", "99"],
            ["run", "2-1"],
            ["run", "one"],
            ["list", "extra"],
            ["bench", "--sizes", "2^10-"],
            ["bench", "--sizes", "2^12-2^10"],
            ["bench", "--sizes", "0"],
            ["bench", "--sizes", "2^41"],
            ["bench", "--samples", "0"],
            ["bench", "--rounds", "0"],
            ["bench", "--block-size", "32", "--block-sizes", "32,64"],
            ["bench", "--block-sizes", "2,3"],
            ["bench", "--picture", "bench.pdf"],
            ["bench", "--json", "no-such-folder/bench.json"],
            ["bench", "--from", "no-such-file.json"],
            ["bench", "99"],
        ):
            answer = workbook(*words)
            self.assertEqual((answer.returncode, answer.stdout), (2, ""), words)
            self.assertEqual(answer.stderr.count("\n"), 1, answer.stderr)


class Run(support.CommandCase):
    """run_command over a folder of scripts."""

    STAGES = STAGES

    def run_workbook(self, *words):
        return self.workbook("run", *words)

    def program(self, name, status=0):
        self.script(
            f"build/default/bin/{name}",
            f'echo \'{{"matches": true, "relative_error": 0, "time_ms": 1}}\'; exit {status}',
        )

    def test_all_match(self):
        self.program("answer-stage01")
        self.program("answer-stage02")
        status, output, _ = self.run_workbook()
        self.assertEqual(status, 0)
        self.assertIn("simulator (none here)", output)
        self.assertEqual(self.built, [["cudasim"], ["answer_stage01", "answer_stage02"]])

    def test_what_is_built_is_named_as_the_user_knows_it(self):
        self.assertIn("Building 2 programs and the simulator in build/default\n", self.run_workbook()[2])
        self.assertIn("Building todo_stage02 and the simulator in build/default\n", self.run_workbook("2", "--todo")[2])

    def test_one_that_does_not_match_decides_the_status(self):
        self.program("answer-stage01")
        self.program("answer-stage02", 1)
        status, _, messages = self.run_workbook()
        self.assertEqual(status, 1)
        self.assertIn("scripts/workbook run 2 --check all", messages)
        status, _, messages = self.run_workbook("1")
        self.assertEqual(status, 0)
        self.assertNotIn("--check", messages)

    def test_files_that_match_are_to_be_tried_with_other_sizes(self):
        self.program("answer-stage02")
        self.program("todo-stage02")
        hint = "Try it with other sizes: scripts/workbook run 2 --todo --size 1003\n"
        status, output, messages = self.run_workbook("2", "--todo")
        self.assertEqual((status, messages.endswith(hint)), (0, True), messages)
        for words in (["2"], ["2", "--todo", "--size", "1003"], ["1-2", "--todo"]):  # the last: not all match
            self.assertNotIn("other sizes", self.run_workbook(*words)[2])

    def test_findings_are_remembered(self):
        report = '{"findings": [{"kind": "race", "file": "k.cu", "line": 3}]}'
        self.script(
            "build/default/bin/answer-stage01", f"echo '{report}' > $CUDASIM_REPORT; echo '{{\"matches\": true}}'"
        )
        status, output, messages = self.run_workbook("1", "--check", "race", "--json")
        self.assertEqual(status, 1)
        found = json.loads(output)
        self.assertEqual((found["checks"], found["stages"][0]["findings"][0]["kind"]), ("race", "race"))
        self.assertNotIn("Look for", messages)
        record = state.read_records(self.build_folder)["answer stage01"]
        self.assertEqual((record["matches"], record["findings"]), (False, ["race"]))

    def test_a_stage_that_does_not_compile_does_not_stop_the_others(self):
        self.program("todo-stage02")
        self.broken = {"todo_stage01": "todo.cu(1): error"}
        status, output, messages = self.run_workbook("--todo")
        self.assertEqual(status, 1)
        self.assertIn("does not compile", output)
        self.assertIn("todo.cu(1): error", messages)
        self.assertRegex(output, r"02 +second +yes")

    def test_json(self):
        self.program("answer-stage02")
        status, output, _ = self.run_workbook("2", "--json", "--size", "0")
        found = json.loads(output)
        self.assertEqual((status, found["size"], found["seed"], found["device"]), (0, 0, None, "simulator"))
        self.assertEqual([row["outcome"] for row in found["stages"]], ["yes"])

    def test_programs_get_only_the_settings_that_are_asked_for(self):
        report = '{"matches": true, "size": 8, "block_size": 1024, "problem": "reduction"}'
        self.script("build/default/bin/answer-stage01", f"echo \"$*\" >> $0.log; echo '{report}'")
        output = self.run_workbook("1")[1]
        self.assertIn("8 floats, 1024 threads a block: the answers on the simulator", output)
        self.run_workbook("1", "--block-size", "64", "--seed", "3")
        log = self.build_folder / "bin" / "answer-stage01.log"
        self.assertEqual(log.read_text(encoding="utf-8"), "--json\n--seed 3 --block-size 64 --json\n")

    def test_a_gpu_that_is_not_there_is_an_error(self):
        status, output, messages = self.run_workbook("--device", "gpu")
        self.assertEqual((status, output), (2, ""))
        self.assertIn("no usable GPU: none here", messages)

    def test_list_remembers(self):
        for path in ("stages/stage01/todo.cu", "answers/stage02/solution.cu"):
            self.script(path, "")
        self.program("todo-stage01", 77)
        self.program("answer-stage02")
        self.run_workbook("1", "--todo")
        self.run_workbook("2")
        records = state.read_records(self.build_folder)
        self.assertEqual(state.last_result(records, self.folder, STAGES[0]), "your file: not solved yet")
        self.assertEqual(state.last_result(records, self.folder, STAGES[1]), "answer: matches")


class Ctest(unittest.TestCase):
    def test_other_options_reach_ctest_in_their_order(self):
        seen = []
        with mock.patch.object(cli, "test_command", lambda root, arguments, progress: seen.append(arguments) or 0):
            cli.main(support.ROOT, ["test", "-R", "name", "--device", "simulator", "--rerun-failed", "-VV"])
        self.assertIsInstance(seen[0], argparse.Namespace)
        self.assertEqual(seen[0].ctest, ["-R", "name", "--rerun-failed", "-VV"])
        self.assertEqual(seen[0].device, "simulator")


if __name__ == "__main__":
    unittest.main()
