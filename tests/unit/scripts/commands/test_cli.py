# SPDX-License-Identifier: MIT
"""The command line itself: help, wrong usage, and the steps of a run over stages that are small scripts."""

import argparse
import io
import json
import os
import shutil
import subprocess
import sys
import unittest
from unittest import mock

import support
from workbook_lib.base import version
from workbook_lib.base.progress import Progress
from workbook_lib.commands import cli, test_command
from workbook_lib.course import todo_file
from workbook_lib.course.stages import Stage
from workbook_lib.machine import device

STAGES = [Stage("stage01", 1, "first"), Stage("stage02", 2, "second")]


def workbook(*words):
    """In this process: one of its own for each would take a quarter of a second."""
    with mock.patch.dict(os.environ, {"COLUMNS": "80"}):
        status, output, messages = support.run_workbook(support.ROOT, *words)
    return subprocess.CompletedProcess(words, status, output, messages)


class CommandLine(unittest.TestCase):
    def test_help_everywhere(self):
        for command in ("", *cli.make_parser()[1]):
            answer = workbook(*command.split(), "--help")
            self.assertEqual((answer.returncode, answer.stderr), (0, ""), command)
            self.assertIn("usage: scripts/workbook", answer.stdout)
            self.assertRegex(answer.stdout, rf"(?m)^  scripts/workbook {command}|^  eval .*{command}", "no example")
            self.assertRegex(answer.stdout, r"(?m)^[A-Z]", f"{command}: no sentence on what it does")
            self.assertEqual([line for line in answer.stdout.splitlines() if len(line) > 80], [], command)

    def test_version_is_that_of_the_project(self):
        project = (support.ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
        for program in ("workbook", "simulate"):
            command = [sys.executable, "-B", str(support.ROOT / "scripts" / program), "--version"]
            answer = subprocess.run(command, capture_output=True, text=True, timeout=60)
            name, _, number = answer.stdout.strip().partition(" ")
            self.assertEqual((answer.returncode, name), (0, f"scripts/{program}"))
            self.assertIn(f"project(cuda_workbook VERSION {number} ", project)

    def test_as_a_process(self):
        program = [sys.executable, "-B", str(support.ROOT / "scripts/workbook")]
        answer = subprocess.run([*program, "walk"], capture_output=True, text=True, timeout=60)
        self.assertEqual((answer.returncode, answer.stdout, answer.stderr.count("\n")), (2, "", 1))

    def test_wrong_usage_is_one_line_and_status_2(self):
        for words in (
            ["walk"],
            ["watch", "1-2"],
            ["watch", "99"],
            ["reset"],
            ["compare"],
            ["profile"],
            ["show"],
            ["show", "2", "--warp", "-1"],
            ["report", "--out", "no-such-folder/ladder.html"],
            ["completion", "tcsh"],
            ["--list"],
            ["run", "--size", "-1"],
            ["run", "--size", "1e6"],
            ["run", "--size", "9223372036854775808"],
            ["run", "--seed", "4294967296"],
            ["run", "--size", "64x"],
            ["run", "--block-size", "64x32"],
            ["run", "--block-size", "0"],
            ["run", "--block-size", "2048"],
            ["run", "--device", "tpu"],
            ["run", "--frobnicate"],
            ["run", "--check", "races"],
            ["run", "--check", "all,none"],
            ["run", "99"],
            ["run", "2-1"],
            ["run", "one"],
            ["question"],
            ["question", "99"],
            ["list", "extra"],
            ["list", "--", "extra"],
            ["bench", "--sizes", "2^10-"],
            ["bench", "--sizes", "2^12-2^10"],
            ["bench", "--sizes", "0"],
            ["bench", "--sizes", "2^49"],
            ["bench", "--samples", "0"],
            ["bench", "--rounds", "0"],
            ["bench", "--block-size", "32", "--block-sizes", "32,64"],
            ["bench", "--block-sizes", "2,x"],
            ["bench", "--picture", "bench.pdf"],
            ["bench", "--json", "no-such-folder/bench.json"],
            ["bench", "--from", "no-such-file.json"],
            ["bench", "99"],
        ):
            answer = workbook(*words)
            self.assertEqual((answer.returncode, answer.stdout), (2, ""), words)
            self.assertEqual(answer.stderr.count("\n"), 1, answer.stderr)

    def test_saved_figures_stand_alone(self):
        for words in (["3"], ["--todo"], ["--sizes", "2^10"]):
            self.assertIn("beside it stand --json and --picture only", workbook("bench", *words, "--from", "x").stderr)

    def test_the_nearest_word_is_suggested(self):
        for words, nearest in (
            (["wacth"], "watch"),
            (["--hepl"], "--help"),
            (["completion", "bsh"], "bash"),
            (["watch", "--plian"], "--plain"),
            (["lsit"], "list"),
            (["run", "--tood"], "--todo"),
            (["run", "--blok-size=3"], "--block-size"),
            (["run", "--device", "simualtor"], "simulator"),
            (["run", "--check", "races"], "race"),
            (["bench", "--size", "5"], "--sizes"),
        ):
            self.assertIn(f"; did you mean {nearest}?", workbook(*words).stderr, words)


class Question(support.CommandCase):
    STAGES = STAGES

    def test_the_answer_is_shown_on_request_only(self):
        shows = "`scripts/workbook question 2 --answer` shows our answer."
        self.write("stages/stage02/README.md", f"# A lesson\n\n## One question\n\nWhy?\n\n{shows}\n\n## The traps\n\nMany.\n")
        self.write("answers/stage02/question.md", "Because.\n")
        self.assertEqual(self.workbook("question", "2")[1], f"Stage 02: second\n\nWhy?\n\n{shows}\n")
        self.assertEqual(self.workbook("question", "2", "--answer")[1], "Stage 02: second\n\nWhy?\n\nOur answer\n\nBecause.\n")
        shutil.rmtree(self.folder / "answers")
        status, output, messages = self.workbook("question", "2", "--answer")
        self.assertEqual((status, output), (2, "Stage 02: second\n\nWhy?\n"))
        self.assertEqual(messages, "workbook: this copy of the course has no answers/: the answer to the question is with your instructor\n")


class Run(support.CommandCase):
    """run_command over a folder of scripts."""

    STAGES = STAGES

    def run_workbook(self, *words):
        return self.workbook("run", *words)

    def stage(self, name, status=0, **how):
        report = {"matches": status == 0, "relative_error": 0, "time_ms": 1, "cases": 71}
        self.program(f"build/default/bin/{name}", {**report, **how.pop("report", {})}, status, {"findings": [], "kernels": [{}]}, **how)

    def todo(self, stage, text=""):
        """A student's file: as handed out, or with a line more."""
        lines = [todo_file.SPDX, "// Yours to finish."]
        lines.append(todo_file.HANDED_OUT.format(todo_file.digest(lines)))
        self.write(f"stages/{stage}/todo.cu", "\n".join(lines) + "\n" + text)

    def test_all_match(self):
        self.stage("answer-stage01")
        self.stage("answer-stage02")
        status, output, _ = self.run_workbook()
        self.assertEqual(status, 0)
        self.assertIn("simulator (none here)", output)
        self.assertEqual(self.built, [["cudasim", "answer_stage01", "answer_stage02"]])

    def test_one_that_does_not_match_decides_the_status(self):
        self.stage("answer-stage01")
        self.stage("answer-stage02", 1)
        status, _, messages = self.run_workbook()
        self.assertEqual(status, 1)
        self.assertIn("scripts/workbook run 2 --check all", messages)
        status, _, messages = self.run_workbook("1")
        self.assertEqual(status, 0)
        self.assertNotIn("--check", messages)

    def test_a_verdict_says_how_much_was_tried_and_what_comes_next(self):
        self.stage("todo-stage01")
        self.stage("todo-stage02")
        status, output, messages = self.run_workbook("1", "--todo")
        self.assertEqual(status, 0)
        self.assertTrue(output.endswith("\nTried: 71 cases in three orders, all checks (stage 01)\n"), output)
        self.assertTrue(messages.endswith("Next: stage 2, second: stages/stage02/README.md\n"), messages)
        self.assertIn("That was the last stage.", self.run_workbook("2", "--todo")[2])
        for words in (["1", "--todo", "--quick"], ["1", "--todo", "--size", "1003"], ["1", "--todo", "--check", "race"]):
            _, output, messages = self.run_workbook(*words)
            self.assertIn("\nTried: one case", output)
            self.assertNotIn("Next:", messages)

    def test_a_verdict_of_no_gives_the_command_that_shows_it(self):
        self.stage("todo-stage01", 1, report={"error": "off", "failed": {"options": "--size 33 --seed 2"}})
        status, output, messages = self.run_workbook("1", "--todo", "--json")
        command = "scripts/workbook run 1 --todo --size 33 --seed 2"
        self.assertEqual((status, json.loads(output)["stages"][0]["replay"]), (1, command))
        self.assertIn("stage01, in plain order, with --size 33 --seed 2:\n  off\n", messages)
        self.assertTrue(messages.endswith(f"See it again: {command}\nA hint: scripts/workbook hint 1\n"), messages)

    def test_without_a_number_files_that_nobody_has_begun_with_are_not_built(self):
        self.todo("stage01", "// begun\n")
        self.todo("stage02")
        self.stage("todo-stage01")
        status, output, messages = self.run_workbook("--todo")
        self.assertEqual((status, self.built), (1, [["cudasim", "todo_stage01"]]))
        self.assertRegex(output, r"01 +first +yes")
        self.assertRegex(output, r"02 +second +not solved yet")
        self.assertIn("Next: stage 2, second: stages/stage02/README.md", messages)
        self.stage("todo-stage02", 77)
        self.run_workbook("2", "--todo")
        self.assertEqual(self.built[1:], [["cudasim", "todo_stage02"]])

    def test_findings_are_no_pass(self):
        found = {"findings": [{"kind": "race", "file": "k.cu", "line": 3}]}
        self.program("build/default/bin/answer-stage01", {"matches": True}, counted=found)
        status, output, messages = self.run_workbook("1", "--check", "race", "--json")
        self.assertEqual(status, 1)
        found = json.loads(output)
        self.assertEqual((found["checks"], found["stages"][0]["findings"][0]["kind"]), ("race", "race"))
        self.assertNotIn("Look for", messages)

    def test_a_stage_that_does_not_compile_does_not_stop_the_others(self):
        self.stage("todo-stage02")
        self.broken = {"todo_stage01": "todo.cu(1): error"}
        status, output, messages = self.run_workbook("--todo")
        self.assertEqual(status, 1)
        self.assertIn("does not compile", output)
        self.assertIn("todo.cu(1): error", messages)
        self.assertRegex(output, r"02 +second +yes")

    def test_where_nothing_compiles_the_compiler_s_words_are_all_there_is(self):
        self.broken = {"todo_stage01": "todo.cu(1): error"}
        status, output, messages = self.run_workbook("1", "--todo")
        self.assertEqual((status, output), (1, ""))
        self.assertTrue(messages.endswith("todo.cu(1): error\n"), messages)

    def test_errors_come_once_below_the_table(self):
        self.stage("todo-stage01", 1, report={"error": "off", "failed": {"options": "--size 33"}})
        self.stage("todo-stage02")
        with mock.patch.object(sys, "stdout", io.StringIO()) as said:
            with mock.patch.object(cli, "Progress", lambda: Progress(said)):
                cli.main(self.folder, ["run", "1-2", "--todo"])
        text = said.getvalue()
        self.assertEqual(text.count("off"), 1, text)
        self.assertLess(text.index("02     second"), text.index("stage01, in plain order"), text)

    def test_what_was_just_done_is_not_suggested(self):
        case = {"size": 33, "seed": 1, "block_size": 32, "distribution": "exact", "error": "off"}
        self.stage("todo-stage01", 1, report={**case, "failed": {"options": "--size 33 --seed 1 --block-size 32"}})
        status, _, messages = self.run_workbook("1", "--todo", "--size", "33", "--block-size", "32")
        self.assertEqual(status, 1)
        self.assertTrue(messages.endswith("stage01:\n  off\n"), messages)

    def test_an_error_of_nothing_is_not_shown_beside_a_no(self):
        self.stage("answer-stage01", 1, report={"relative_error": 0.0})
        self.stage("answer-stage02", report={"relative_error": 0.0})
        output = self.run_workbook()[1]
        self.assertRegex(output, r"01 +first +NO +- ")
        self.assertRegex(output, r"02 +second +yes +0.0e\+00")

    def test_json(self):
        self.stage("answer-stage02")
        status, output, _ = self.run_workbook("2", "--json", "--size", "0")
        found = json.loads(output)
        self.assertEqual((status, found["size"], found["seed"], found["device"]), (0, 0, None, "simulator"))
        self.assertEqual([row["outcome"] for row in found["stages"]], ["yes"])

    def test_programs_get_only_the_settings_that_are_asked_for(self):
        report = {"size": 8, "block_size": 1024, "work": {"unit": "floats", "elements": 8}}
        self.stage("answer-stage01", report=report, text='echo "$*" >> $0.log')
        output = self.run_workbook("1")[1]
        self.assertIn("8 floats, 1,024 threads a block: the answers on the simulator", output)
        self.run_workbook("1", "--block-size", "32x8", "--seed", "3", "--size", "2^6x48", "--", "--from", "-1")
        log = (self.build_folder / "bin" / "answer-stage01.log").read_text(encoding="utf-8")
        asked = [line.partition("--time-limit")[0] for line in log.splitlines()]
        self.assertEqual(asked, ["", "--size 64x48 --block-size 32x8 --seed 3 --from -1 "])

    def test_a_gpu_that_is_not_there_is_an_error(self):
        status, output, messages = self.run_workbook("--device", "gpu")
        self.assertEqual((status, output), (2, ""))
        self.assertIn("no usable GPU: none here", messages)

    def test_why_it_is_the_simulator_is_said_once_and_when_it_changed(self):
        self.stage("answer-stage01")
        for probed, words, said in (
            ((None, "none here"), [], "on the simulator (none here)\n"),
            ((None, "none here"), [], "on the simulator\n"),
            ((None, "none here"), ["--device", "simulator"], "on the simulator\n"),
            ((None, "a driver too old"), [], "on the simulator (a driver too old)\n"),
            ((None, "none here"), [], "on the simulator (none here)\n"),
        ):
            with mock.patch.object(device, "probe", lambda: probed):
                self.assertIn(said, self.run_workbook("1", *words)[1])
        found = json.loads(self.run_workbook("1", "--json")[1])
        self.assertEqual((found["reason"], found["version"]), ("none here", version.read()))
        with mock.patch.object(device, "probe", lambda: (None, "not shown")):
            self.assertIn("not shown", self.workbook("doctor")[1])

    def test_a_stage_without_its_file_is_a_row_and_no_pass(self):
        self.stage("answer-stage01")
        (self.folder / "answers/stage02/solution.cu").unlink()
        status, output, messages = self.run_workbook()
        self.assertEqual((status, self.built), (1, [["cudasim", "answer_stage01"]]))
        self.assertRegex(output, r"01 +first +yes")
        self.assertRegex(output, r"02 +second +no file")
        self.assertTrue(messages.endswith("answers/stage02/solution.cu is missing\n"), messages)
        (self.folder / "stages/stage01/todo.cu").unlink()
        status, output, messages = self.run_workbook("1", "--todo")
        advice = "stages/stage01/todo.cu is missing: scripts/make_todo 1 makes it"
        self.assertEqual((status, output, messages), (2, "", f"workbook: {advice}\n"))

    def test_without_answers_the_students_files_run_and_the_rest_says_what_is_missing(self):
        shutil.rmtree(self.folder / "answers")
        self.stage("todo-stage01")
        self.assertEqual(self.run_workbook("1", "--todo")[0], 0)
        self.assertEqual(self.workbook("list")[0], 0)
        for command in ("run", "bench"):
            status, output, messages = self.workbook(command)
            self.assertEqual((status, output), (2, ""))
            self.assertEqual(messages, "workbook: this copy of the course has no answers/: --todo takes your own files\n")


class Ctest(unittest.TestCase):
    def test_other_options_reach_ctest_in_their_order(self):
        seen = []
        with mock.patch.object(test_command, "test_command", lambda root, arguments, progress: seen.append(arguments) or 0):
            cli.main(support.ROOT, ["test", "-R", "name", "--device", "simulator", "--rerun-failed", "-VV"])
        self.assertIsInstance(seen[0], argparse.Namespace)
        self.assertEqual(seen[0].passed_on, ["-R", "name", "--rerun-failed", "-VV"])
        self.assertEqual(seen[0].device, "simulator")


if __name__ == "__main__":
    unittest.main()
