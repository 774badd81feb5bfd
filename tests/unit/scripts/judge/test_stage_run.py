# SPDX-License-Identifier: MIT
"""From a run of a stage's program, which is a small script here, to a row of the table."""

import io
import json
import unittest
from pathlib import Path

import support
from judge.test_results import from_launches, launch
from workbook_lib.base.progress import Progress
from workbook_lib.course.stages import Stage
from workbook_lib.judge import stage_run
from workbook_lib.judge.counts import Counts
from workbook_lib.judge.stage_run import How
from workbook_lib.judge.verdict import Replay, Verdict

STAGE = Stage("stage03", 3, "shared memory")
NO_FINDINGS = {**from_launches([]), "findings": []}
A_KERNEL = {**from_launches([launch([1, 1, 1], [32, 1, 1])]), "findings": []}
A_RACE = {**from_launches([]), "findings": [{"kind": "race", "file": "todo.cu", "line": 30, "text": "cudasim: error: a race [race]"}]}


class RunCase(support.ScratchCase):
    def run_stage(self, report=None, status=0, counted=None, text="", run=stage_run.run_once, **how):
        how = {"kind": "answer", "options": ["--size", "64"], "device": "simulator", **how}
        self.program(f"bin/{how['kind']}-stage03", report, status, counted, text)
        self.said = io.StringIO()
        return run(STAGE, How(**how), self.folder, Progress(self.said))


class RunOnce(RunCase):
    def test_a_run_on_the_simulator(self):
        work = {"unit": "floats", "elements": 64}
        result = self.run_stage(
            {"size": 64, "relative_error": 1e-7, "matches": True, "time_ms": 2.5, "simulated": True, "work": work},
            counted=from_launches([launch([1, 1, 1], [64, 1, 1], warp_instructions=128)]),
            text=f"""case "$LD_LIBRARY_PATH" in {self.folder}/simulator*) ;; *) exit 3 ;; esac
            case "$*" in "--size 64 --time-limit 600 --json "*) ;; *) exit 2 ;; esac
            echo 'from a kernel'; echo 'a finding' >&2""",
            shows_output=True,
        )
        self.assertEqual((result.status, result.outcome, result.time_ms), (0, "yes", 2.5))
        self.assertEqual(result.counts.warp_instructions_per_element, 2.0)
        self.assertEqual(self.said.getvalue(), "stage03:\n  a finding\n  from a kernel\n")

    def test_output_is_shown_on_request_and_not_without_end(self):
        self.run_stage({"matches": True}, text="echo printed")
        self.assertEqual(self.said.getvalue(), "")
        self.run_stage({"matches": True}, text="seq 1 1000", shows_output=True)
        self.assertTrue(self.said.getvalue().endswith("\n  40\n  ... and 960 lines more\n"), self.said.getvalue())

    def test_every_ending_has_its_words(self):
        for text, status, words in (
            ("exit 1", 1, "NO"),
            ("exit 2", 2, "wrong usage"),
            ("exit 3", 3, "error"),
            ("exit 77", 77, "not solved yet"),
            ("kill -SEGV $$", -11, "crashed (signal 11)"),
            ("exit 9", 9, "exit status 9"),
        ):
            result = self.run_stage(text=text)
            self.assertEqual((result.status, result.outcome), (status, words))
            self.assertIsNone(result.relative_error)

    def test_a_gpu_run_meets_no_simulator_unless_counters_are_asked_for(self):
        def run(**how):
            text = 'echo "$LD_LIBRARY_PATH|" >> "$0.log"'
            return self.run_stage({"matches": True}, counted={"launches": []}, text=text, device="gpu", **how)

        run()
        log = Path(f"{self.folder}/bin/answer-stage03.log")
        self.assertNotIn(str(self.folder), log.read_text(encoding="utf-8"))
        self.assertEqual(run(count_on_gpu=True).counts, Counts())
        self.assertEqual(log.read_text(encoding="utf-8").count(f"{self.folder}/simulator"), 1)

    def test_a_finding_is_no_pass_even_if_the_numbers_match(self):
        for device in ("simulator", "gpu"):
            result = self.run_stage({"matches": True}, counted=A_RACE, checks="all", device=device)
            self.assertEqual((result.status, result.outcome), (1, "NO: 1 race"))
            self.assertIn("does not count as passed", result.error)
            self.assertEqual(result.as_json()["findings"], A_RACE["findings"])

    def test_the_simulator_explains_a_failure_on_a_gpu(self):
        result = self.run_stage({"matches": False, "error": "why"}, 1, counted=A_RACE, device="gpu")
        self.assertEqual((result.status, result.error), (1, "on the GPU: why. On the simulator: why"))
        self.assertEqual(result.as_json()["findings"], A_RACE["findings"])

    def test_checked_without_findings_is_a_pass_and_without_a_report_none(self):
        result = self.run_stage({"matches": True}, counted=NO_FINDINGS, checks="race")
        self.assertEqual((result.status, result.outcome), (0, "yes"))
        for device in ("simulator", "gpu"):
            result = self.run_stage({"matches": True}, checks="race", device=device)
            self.assertEqual((result.status, result.outcome), (3, "error"))
            self.assertIn("nothing was checked", result.error)

    def test_the_reason_of_a_failure_is_kept(self):
        self.assertEqual(self.run_stage({"matches": False, "error": "why"}, 1).error, "why")

    def test_the_smallest_case_is_told_below_the_row_of_what_was_asked_for(self):
        text = f"""case "$*" in
            *--explain*) echo '{{"matches": false, "diagnosis": "one is lost", "failed": {{"options": "--size 2"}}}}' ;;
            *"--size 2 "*) echo '{{"findings": []}}' > "$CUDASIM_REPORT"; echo '{{"matches": false, "error": "2 off", "size": 2}}' ;;
            *) echo '{{"matches": false, "error": "off", "size": 64}}' ;; esac > "$file"; exit 1"""
        found = self.run_stage(text=text)
        self.assertEqual((found.size, found.diagnosis, found.is_checked), (64, "one is lost", True))
        self.assertEqual(found.command, "scripts/workbook run 3 --size 2")
        self.assertEqual(
            self.said.getvalue(),
            "stage03:\n  The smallest case found that fails, with --size 2:\n  2 off\n  one is lost\n",
        )

    def test_what_the_checks_find_in_a_wrong_run_is_told_with_the_command_that_shows_it(self):
        text = f"""case "$CUDASIM_CHECK $*" in
            *--explain*) echo '{{"matches": false, "diagnosis": "none", "failed": {{"options": "--size 64"}}}}' ;;
            "all,host "*) echo '{json.dumps(A_RACE)}' > "$CUDASIM_REPORT"; echo '{{"matches": false, "error": "off", "size": 64}}' ;;
            *) echo '{{"matches": false, "error": "off", "size": 64}}' ;; esac > "$file"; exit 1"""
        found = self.run_stage(text=text)
        self.assertEqual((found.diagnosis, found.command), ("", "scripts/workbook run 3 --check all,host --size 64"))
        self.assertEqual(self.said.getvalue(), "stage03:\ntodo.cu:30:1: error: a race [race]\n  off\n")

    def test_a_program_that_is_not_there(self):
        result = stage_run.run_once(STAGE, How("answer", [], "simulator"), self.folder, Progress(io.StringIO()))
        self.assertEqual(result.outcome, "error")


class Stored(unittest.TestCase):
    def test_a_key_that_only_looks_unwritten_is_told_as_stored_where_that_is_known(self):
        error = "every key of the output holds what memory holds that nobody wrote, 0xffffffff, which is the last of all keys, too"
        self.assertEqual(stage_run.stored_after_all(Verdict(error=error)), error)
        unwritten = Verdict(error=error, is_checked=True, findings=[{"kind": "uninitialised"}])
        self.assertEqual(stage_run.stored_after_all(unwritten), error)
        said = "every key of the output holds 0xffffffff, the last of all keys, which a kernel has stored there"
        self.assertEqual(stage_run.stored_after_all(Verdict(error=error, is_checked=True)), said)


class Judge(RunCase):
    """All cases, and then the run for the figures."""

    def judge(self, **settings):
        settings = {"kind": "todo", "options": [], "counted": A_KERNEL, **settings}
        return self.run_stage(run=stage_run.judge, **settings)

    def test_after_a_yes_the_figures_come_from_one_more_run(self):
        text = """echo "$*" >> "$0.log"
            case "$*" in *--cases*) ;; *)
              echo '{"matches": true, "time_ms": 5}' > "$file"; exit 0 ;; esac"""
        result = self.judge(report={"matches": True, "cases": 71, "time_ms": 1}, text=text)
        self.assertEqual((result.outcome, result.time_ms, result.command), ("yes", 5, ""))
        self.assertEqual(result.tried, "71 cases in three orders, all checks")
        log = Path(f"{self.folder}/bin/todo-stage03.log").read_text(encoding="utf-8").splitlines()
        self.assertEqual(["--cases" in line for line in log], [True, True, True, False])

    def test_a_failure_is_shown_whole_with_the_command_that_shows_it_again(self):
        report = {"matches": False, "error": "off", "failed": {"options": "--size 33 --block-size 32 --distribution exact"}}
        result = self.judge(report=report, status=1, text="echo printed; echo said >&2")
        self.assertEqual((result.status, result.outcome, result.time_ms), (1, "NO", None))
        self.assertTrue(result.why.startswith("in plain order, with --size 33"), result.error)
        self.assertEqual(
            result.command, "scripts/workbook run 3 --todo --size 33 --block-size 32 -- --distribution exact"
        )
        where = "in plain order, with --size 33 --block-size 32 --distribution exact"
        self.assertEqual(self.said.getvalue(), f"stage03, {where}:\n  said\n  printed\n  off\n")

    def test_a_run_that_was_stopped_shows_what_was_found_before(self):
        result = self.judge(report={"error": "stopped after 60 seconds"}, status=3, counted=A_RACE)
        self.assertEqual(result.status, 3)
        self.assertIn("a race [race]", self.said.getvalue())
        self.assertIn("stopped after 60 seconds", self.said.getvalue())

    def test_why_an_element_is_wrong_is_asked_of_one_more_run(self):
        report = {"matches": False, "error": "off", "first": {"index": "element 2"}, "failed": {"options": "--size 33"}}
        thread = {"file": "todo.cu", "line": 7, "block": [0, 0, 0], "thread": [2, 0, 0]}
        write = {**thread, "kind": "store", "values": {"after": "9"}, "reads": [], "reads_left_out": 0, "threads": 1, "has_shuffles": False}
        copy = {"address": 16, "width": 132, "height": 1, "row_stride": 0}
        watched = {"history": {"writes": [write], "writes_left_out": 0, "is_complete": True}}
        text = f"""[ "$CUDASIM_HISTORY" = 0x18+4 ] && echo '{json.dumps(report)}' > "$file" &&
            echo '{json.dumps(watched)}' > "$CUDASIM_REPORT" && exit 1"""
        self.judge(report=report, status=1, text=text, counted={"copies_to_host": [copy]}, tells_why=True)
        how = "  How element 2 came about on the simulator, in order:\n    thread 2 of block 0 at todo.cu:7 stored 9\n"
        self.assertIn(how, self.said.getvalue())
        self.judge(report={"matches": False, "error": "off"}, status=1, tells_why=True)
        self.assertIn("brings back no wrong element", self.said.getvalue())

    def test_the_report_of_a_failure_is_not_told_twice(self):
        report = {"matches": False, "error": "off", "failed": {"options": "--size 33"}}
        self.judge(report=report, status=1, text="echo printed; echo 'Stage 3 transposed gemv does not match reference ❌'")
        self.assertTrue(self.said.getvalue().endswith(":\n  printed\n  off\n"), self.said.getvalue())

    def test_figures_that_are_wrong_are_no_pass(self):
        text = 'case "$*" in *--cases*) ;; *) exit 1 ;; esac'
        result = self.judge(report={"matches": True, "cases": 71}, text=text)
        self.assertEqual((result.outcome, result.command), ("NO", "scripts/workbook run 3 --todo --quick"))

    def test_the_device_is_part_of_the_command_where_it_would_be_another(self):
        for device, asked, on_gpu, expected in (
            ("simulator", "auto", False, ""),
            ("simulator", "simulator", False, " --device simulator"),
            ("gpu", "auto", False, " --device simulator"),
            ("gpu", "gpu", True, ""),
        ):
            how = How("todo", [], device, asked_device=asked)
            words = stage_run.replay_words(STAGE, how, Replay({}, ["--size", "1"], on_gpu), {"options": []})
            self.assertEqual(words, f"scripts/workbook run 3 --todo{expected} --size 1")

    def test_the_simulated_gpu_is_part_of_the_command(self):
        how = How("todo", [], "simulator", asked_gpu="t4")
        words = stage_run.replay_words(STAGE, how, Replay({}, [], False), {"options": []})
        self.assertEqual(words, "scripts/workbook run 3 --todo --gpu t4")

    def test_a_program_that_crashes_before_it_can_describe_itself(self):
        self.script("bin/todo-stage03", "kill -SEGV $$")
        result = stage_run.judge(STAGE, How("todo", [], "simulator"), self.folder, Progress(io.StringIO()))
        self.assertEqual(result.outcome, "crashed (signal 11)")
        self.assertEqual(result.command, "scripts/workbook run 3 --todo --check all,host -- --cases quick,hostile")

    def test_an_order_and_a_poison_are_part_of_the_command(self):
        settings = {"CUDASIM_SCHEDULE": "adversarial", "CUDASIM_SEED": "1", "CUDASIM_POISON": "0xA5"}
        replay = Replay(settings, ["--size", "64x48", "--misalign", "0", "--seed", "2", "--poison", "0xA5"], False)
        described = {"options": [{"name": "misalign", "standard": "0"}, {"name": "seed", "standard": "1"}]}
        self.assertEqual(
            stage_run.replay_words(STAGE, How("todo", [], "gpu"), replay, described),
            "CUDASIM_SCHEDULE=adversarial CUDASIM_SEED=1 CUDASIM_POISON=0xA5 scripts/workbook run 3 --todo "
            "--device simulator --size 64x48 --seed 2 -- --poison 0xA5",
        )


if __name__ == "__main__":
    unittest.main()
