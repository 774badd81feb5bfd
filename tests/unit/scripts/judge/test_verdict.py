# SPDX-License-Identifier: MIT
"""The verdict on a program: a small script stands in for it, and does in each order what the test wants."""

import dataclasses
import json
import os
import time
import unittest
import unittest.mock

import support
from workbook_lib.judge import verdict
from workbook_lib.simulator import programs

# What decides which order it is, and a report of the simulator without findings.
PROGRAM = """
for word in "$@"; do file=$word; done
order=${{CUDASIM_SCHEDULE:-plain}}
[ -n "$CUDASIM_REPORT" ] && case "$LD_LIBRARY_PATH" in */simulator*) ;; *) order=gpu ;; esac
echo "$order $CUDASIM_CHECK $CUDASIM_POISON $*" >> {folder}/log
pass() {{ echo '{{"findings": [], "kernels": [{{}}]}}' > "$CUDASIM_REPORT"; echo '{{"matches": true, "cases": 71}}' > "$file"; exit 0; }}
fail() {{ echo "{{\\"matches\\": false, \\"error\\": \\"$order is wrong\\", \\"failed\\": {{\\"options\\": \\"--size 33\\"}}}}" > "$file"; exit 1; }}
case $order in {cases} esac
pass
"""


class Judge(support.ScratchCase):
    def judge(self, device="simulator", at_once=0, needs=0, **cases):
        """`cases`: what the program does, in shell, by order."""
        text = " ".join(f"{order}) {words} ;;" for order, words in cases.items())
        program = self.script("program", PROGRAM.format(folder=self.folder, cases=text))
        return verdict.judge(program, self.folder / "simulator", device, time_limit=5, at_once=at_once, needs=needs)

    def log(self):
        return sorted((self.folder / "log").read_text(encoding="utf-8").splitlines())

    def test_settings_of_the_user_do_not_change_the_orders(self):
        with unittest.mock.patch.dict(os.environ, CUDASIM_SCHEDULE="random", CUDASIM_POISON="1", CUDASIM_SEED="9"):
            self.judge()
        self.assertEqual([line.split(" --")[0] for line in self.log()], ["adversarial all,host 0xA5", "plain all,host ", "random all,host "])

    def test_a_loop_is_given_up_by_steps_that_the_user_may_set(self):
        told = f"echo $CUDASIM_STEP_BUDGET > {self.folder}/budget"
        self.judge(plain=told)
        self.assertEqual((self.folder / "budget").read_text().strip(), verdict.STEP_BUDGET)
        with unittest.mock.patch.dict(os.environ, CUDASIM_STEP_BUDGET="7"):
            self.judge(plain=told)
        self.assertEqual((self.folder / "budget").read_text().strip(), "7")

    def test_a_program_that_was_stopped_names_the_kernel_that_ran(self):
        running = {"file": "todo.cu", "line": 7, "kernel": "sum", "block": [8, 0, 0], "progress": "8 of 9 blocks have ended"}
        report = f"echo '{json.dumps({'findings': [], 'running': running})}' > \"$CUDASIM_REPORT\""
        where = ". sum was running, block (8, 0, 0) at todo.cu:7: 8 of 9 blocks have ended"
        for error, more in (("stopped after 5 seconds", where), ("no memory", "")):
            found = self.judge(plain=f"{report}; echo '{json.dumps({'error': error})}' > \"$file\"; exit 3")
            self.assertEqual(found.error, error + more)

    def test_all_cases_in_three_orders_with_all_checks(self):
        found = self.judge()
        self.assertEqual((found.status, found.outcome, found.tried), (0, "yes", "71 cases in three orders, all checks"))
        self.assertIsNone(found.replay)
        options = "--cases quick,hostile {}--time-limit 5 --json"
        for line, start in zip(
            self.log(),
            (
                f"adversarial all,host 0xA5 {options.format('--poison 0xA5 ')}",
                f"plain all,host  {options.format('')}",
                f"random all,host  {options.format('')}",
            ),
        ):
            self.assertTrue(line.startswith(start), line)

    def test_results_without_a_kernel_are_no_pass(self):
        found = self.judge(plain='echo \'{"findings": [], "kernels": []}\' > "$CUDASIM_REPORT"; echo \'{"matches": true, "cases": 71}\' > "$file"; exit 0')
        self.assertEqual((found.status, found.error), (1, "the results match, but no kernel ran"))

    def test_a_remark_is_told_and_refuses_nothing(self):
        remark = {"kind": "unasked-launch", "severity": "remark", "message": "nobody asks", "advice": "ask", "file": "todo.cu", "line": 7}
        report = json.dumps({"findings": [remark, remark], "kernels": [{}]})
        found = self.judge(plain=f"echo '{report}' > \"$CUDASIM_REPORT\"; echo '{{\"matches\": true, \"cases\": 71}}' > \"$file\"; exit 0")
        self.assertEqual((found.status, found.findings), (0, []))
        self.assertEqual(found.remarks, ["todo.cu:7: remark: nobody asks: ask"])

    def test_what_looks_unwritten_was_stored_where_the_check_finds_nothing(self):
        wrong = """echo '{"findings": %s, "kernels": [{}]}' > "$CUDASIM_REPORT"
            echo '{"matches": false, "error": "the key is what memory holds that nobody wrote"}' > "$file"; exit 1"""
        self.assertIn("A thread stored it", self.judge(plain=wrong % "[]").error)
        unwritten = '[{"kind": "uninitialised", "message": "4 bytes", "line": 0}]'
        self.assertNotIn("A thread stored it", self.judge(plain=wrong % unwritten).error)
        self.assertIn("A thread stored it", self.judge(adversarial=wrong % "[]").error)

    def test_what_looks_unwritten_beside_right_elements_may_be_so(self):
        wrong = """echo '{"findings": [], "kernels": [{}]}' > "$CUDASIM_REPORT"
            echo '{"matches": false, "error": "%d of 5 elements are wrong; found what memory holds that nobody wrote"}' > "$file"; exit 1"""
        self.assertNotIn("A thread stored it", self.judge(plain=wrong % 3).error)
        self.assertIn("A thread stored it", self.judge(plain=wrong % 5).error)
        later = wrong.replace("nobody wrote", "nobody wrote (in scan 2 with the same workspace; those before were right)")
        self.assertNotIn("A thread stored it", self.judge(plain=later % 5).error)

    def test_the_first_failure_in_the_fixed_order_is_told_however_late_it_comes(self):
        found = self.judge(plain="sleep 0.3; fail", adversarial="fail", random="fail")
        self.assertEqual((found.status, found.outcome), (1, "NO"))
        self.assertEqual((found.where, found.error), ("in plain order, with --size 33", "plain is wrong"))
        found = self.judge(adversarial="sleep 0.3; fail", random="fail")
        self.assertEqual((found.where, found.error), ("in adversarial order, with --size 33", "adversarial is wrong"))
        self.assertEqual(found.replay.options, ["--size", "33", "--poison", "0xA5"])
        self.assertEqual(
            found.replay.command(self.folder / "program", self.folder / "simulator"),
            f"env LD_LIBRARY_PATH={self.folder}/simulator CUDASIM_SCHEDULE=adversarial CUDASIM_SEED=1 "
            f"CUDASIM_POISON=0xA5 CUDASIM_CHECK=all,host {self.folder}/program --size 33 --poison 0xA5",
        )

    def test_of_a_random_order_on_one_multiprocessor_what_is_enough_is_told(self):
        small = '[ -n "$CUDASIM_MULTIPROCESSORS" ] && fail'
        for cases, where in (
            ({"plain": small, "random": small}, "on one multiprocessor, with --size 33"),
            ({"random": "fail"}, "in random order, with --size 33"),
            ({"random": small}, "in random order on one multiprocessor, with --size 33"),
        ):
            found = self.judge(**cases)
            self.assertEqual((found.status, found.where), (1, where))
            self.assertEqual("CUDASIM_SCHEDULE" in found.replay.settings, "random" in where)
            self.assertEqual("CUDASIM_MULTIPROCESSORS" in found.replay.settings, "one" in where)

    def test_the_last_order_is_on_the_smallest_gpu_that_has_what_the_program_needs(self):
        told = f"echo $CUDASIM_GPU >> {self.folder}/gpu"
        for needs, chosen in ((0, "t4"), (80, "rtx3060"), (90, "")):
            self.judge(needs=needs, random=told)
            self.assertEqual((self.folder / "gpu").read_text().split("\n")[-2], chosen)
        with unittest.mock.patch.dict(os.environ, CUDASIM_GPU="l4"):
            self.judge(random=told)
        self.assertEqual((self.folder / "gpu").read_text().split("\n")[-2], "l4")

    def test_a_limit_of_a_small_gpu_is_a_note_with_its_name_and_the_limit(self):
        limit = "100000 bytes, but a block has at most 65536 on the Tesla T4 (CUDASIM_GPU=t4)"
        refused = f"[ $CUDASIM_GPU = t4 ] && {{ echo 'cudasim: cudaFuncSetAttribute: {limit}' >&2; exit 3; }}"
        found = self.judge(random=refused)
        self.assertEqual((found.status, found.tried), (0, "71 cases in three orders, all checks"))
        remark = f"remark: right here, but not on every GPU: cudaFuncSetAttribute: {limit}. --gpu t4 shows more"
        self.assertEqual(found.remarks, [remark])

    def test_a_wrong_result_on_a_small_gpu_alone_is_a_failure(self):
        found = self.judge(random="[ $CUDASIM_GPU = t4 ] && fail")
        self.assertEqual((found.status, found.where), (1, "in random order on one multiprocessor of a Tesla T4, with --size 33"))
        self.assertEqual(found.replay.settings["CUDASIM_GPU"], "t4")

    def test_a_failure_ends_the_runs_behind_it(self):
        start = time.monotonic()
        found = self.judge(at_once=3, plain="sleep 0.2; fail", adversarial="exec sleep 30", random="exec sleep 30")
        self.assertIn("plain is wrong", found.error)
        self.assertLess(time.monotonic() - start, 10)

    def test_a_finding_is_no_pass_even_if_all_numbers_match(self):
        report = json.dumps({"findings": [{"kind": "race", "file": "todo.cu", "line": 30}]})
        write = f"""echo '{report}' > "$CUDASIM_REPORT"; echo '{{"matches": true}}' > "$file"; exit 0"""
        found = self.judge(plain=write)
        self.assertEqual((found.status, found.outcome, found.matches), (1, "NO: 1 race", False))
        self.assertIn("does not count as passed", found.error)
        self.assertEqual(found.replay.settings, {"CUDASIM_CHECK": "all,host"})
        self.assertEqual(found.replay.options, ["--cases", "quick,hostile"])
        self.assertEqual([finding["line"] for finding in found.findings], [30])

    def test_a_run_that_met_no_simulator_or_made_no_report_is_no_pass(self):
        for words, error in (
            ('echo \'{"matches": true}\' > "$file"; exit 0', "nothing was checked"),
            ('echo \'{"findings": []}\' > "$CUDASIM_REPORT"; exit 0', "without a report"),
            ('echo \'{"matches": false}\' > "$file"; exit 0', "without a report"),
        ):
            found = self.judge(random=words)
            self.assertEqual((found.status, found.outcome), (3, "error"))
            self.assertEqual(found.where, "in random order on one multiprocessor")
            self.assertIn(error, found.error)

    def test_unsolved_crashed_and_wrong_usage(self):
        unsolved = """echo '{"error": "todo.cu:12: finish it"}' > "$file"; exit 77"""
        found = self.judge(plain=unsolved)
        self.assertEqual((found.status, found.outcome, found.error), (77, "not solved yet", "todo.cu:12: finish it"))
        self.assertIsNone(found.replay)
        found = self.judge(plain=unsolved, adversarial="fail")  # in a case before the step that is not written
        self.assertEqual((found.status, found.where), (1, "in adversarial order, with --size 33"))
        report = json.dumps({"findings": [{"kind": "race", "file": "todo.cu", "line": 30}]})
        found = self.judge(plain=f"echo '{report}' > \"$CUDASIM_REPORT\"; {unsolved}")
        self.assertEqual((found.status, found.outcome), (1, "NO: 1 race"))
        self.assertIn("not all steps are written", found.error)
        found = self.judge(adversarial="kill -SEGV $$")
        self.assertEqual((found.status, found.where), (-11, "in adversarial order"))
        self.assertIn("ended by signal 11: did its host code use a pointer to device memory", found.error)
        self.assertEqual(self.judge(plain="kill -KILL $$").error, "the program was ended by signal 9")
        self.assertEqual(self.judge(plain="exit 2").outcome, "wrong usage")

    def test_the_simulator_comes_first_and_a_gpu_after_it(self):
        found = self.judge("gpu")
        self.assertEqual(found.tried, "71 cases in three orders, all checks; on the GPU 71 cases")
        self.assertEqual([line.split()[0] for line in self.log()], ["adversarial", "gpu", "plain", "random"])
        found = self.judge("gpu", gpu="fail", plain="fail")
        self.assertEqual((found.where, found.error), ("in plain order, with --size 33", "plain is wrong"))
        self.assertEqual([line.split()[0] for line in self.log()].count("gpu"), 1)

    def test_what_a_gpu_alone_shows_is_told_so(self):
        found = self.judge("gpu", gpu="fail")
        self.assertEqual(found.where, "on the GPU, with --size 33")
        self.assertTrue(found.error.startswith("gpu is wrong. The GPU alone shows this"), found.error)
        self.assertTrue(found.replay.on_gpu)
        self.assertEqual(found.replay.command("bin/x", "sim"), "env bin/x --size 33")

    def test_options_of_the_program_stay_in_the_command(self):
        program = self.script("program", PROGRAM.format(folder=self.folder, cases="plain) fail ;;"))
        found = verdict.judge(program, self.folder / "simulator", "simulator", options=["--kernel", "x"], cases="quick")
        self.assertTrue(all(" --kernel x --cases quick " in line for line in self.log()))
        self.assertEqual(found.replay.options, ["--kernel", "x", "--size", "33"])

    def test_what_it_printed_and_said_is_kept(self):
        found = self.judge(plain="echo from a kernel; echo a finding >&2; fail")
        self.assertEqual((found.ending.output, found.ending.messages), ("from a kernel\n", "a finding"))

    def test_a_program_that_is_not_there(self):
        found = verdict.judge(self.folder / "none", self.folder, "simulator")
        self.assertEqual(found.status, 3)
        self.assertIn("could not be started", found.error)


# A program whose case of 33 fails, and which finds a smaller one. `alone`: what that does alone.
SHRINKS = """
for word in "$@"; do file=$word; done
echo "$CUDASIM_SCHEDULE|$CUDASIM_CHECK|$*" >> {folder}/log
case "$*" in
  *--explain*) echo '{{"matches": false, "diagnosis": "one is lost", "failed": {{"options": "--size 2 --seed 7 --block-size 32"}}}}' > "$file"; exit 1 ;;
esac
echo '{{"findings": []}}' > "$CUDASIM_REPORT"
{alone}
"""
FAILS = """echo '{"matches": false, "error": "2 off"}' > "$file"; exit 1"""


class SmallestCase(support.ScratchCase):
    def shrink(
        self,
        alone=FAILS,
        findings=(),
        settings={"CUDASIM_CHECK": "all"},
        options=("--size", "33", "--seed=7"),
        on_gpu=False,
    ):
        program = self.script("program", SHRINKS.format(folder=self.folder, alone=alone))
        ending = programs.Ending(1, {"matches": False, "error": "33 off"}, {"findings": list(findings)})
        failed = verdict.of_run(ending, must_be_checked=True)
        replay = verdict.Replay(settings, list(options), on_gpu)
        failed = dataclasses.replace(failed, where="in some order, with --size 33", replay=replay)
        return failed, verdict.smallest_case(failed, program, self.folder / "simulator")

    def log(self):
        return [line.partition(" --time-limit")[0] for line in (self.folder / "log").read_text(encoding="utf-8").splitlines()]

    def test_it_is_searched_without_checks_and_shown_with_all(self):
        _, found = self.shrink()
        self.assertEqual((found.error, found.diagnosis, found.is_checked), ("2 off", "one is lost", True))
        self.assertEqual(found.where, "in some order, with --size 2 --block-size 32")
        self.assertEqual(self.log(), ["|none|--size 33 --seed 7 --explain", "|all,host|--size 2 --seed 7 --block-size 32"])
        # The checks said nothing: the command does without.
        self.assertEqual((found.replay.settings, found.replay.options), ({}, ["--size", "2", "--seed", "7", "--block-size", "32"]))

    def test_order_and_poison_stay(self):
        order = {"CUDASIM_SCHEDULE": "random"}
        _, found = self.shrink(settings=order, options=["--kernel", "x", "--size", "33", "--poison", "0xA5"])
        self.assertEqual(found.replay.settings, order)
        self.assertEqual(found.replay.options[:6], ["--kernel", "x", "--poison", "0xA5", "--size", "2"])
        self.assertTrue(all(line.startswith("random|") for line in self.log()))

    def test_a_finding_of_the_smaller_case_says_more_than_a_lead(self):
        race = """echo '{"findings": [{"kind": "race", "file": "k.cu", "line": 3}]}' > "$CUDASIM_REPORT";"""
        _, found = self.shrink(alone=race + FAILS)
        self.assertEqual((found.diagnosis, found.replay.settings), ("", {"CUDASIM_CHECK": "all,host"}))
        self.assertEqual([finding["kind"] for finding in found.findings], ["race"])

    def test_the_simulator_explains_what_a_gpu_finds(self):
        race = """echo '{"findings": [{"kind": "race", "file": "k.cu", "line": 3}], "kernels": [{}]}' > "$CUDASIM_REPORT";"""
        _, found = self.shrink(alone=race + FAILS, settings={}, on_gpu=True)
        self.assertEqual(found.error, "on the GPU: 2 off. On the simulator: 2 off")
        self.assertEqual(([finding["kind"] for finding in found.findings], found.is_checked), (["race"], True))
        self.assertFalse(found.replay.on_gpu)
        right = """echo '{"matches": true}' > "$file"; exit 0"""
        _, found = self.shrink(alone=f'[ -n "$CUDASIM_CHECK" ] && {{ {right}; }}\n{FAILS}', settings={}, on_gpu=True)
        self.assertTrue(found.error.startswith("2 off. The GPU alone shows this"), found.error)
        self.assertEqual((found.replay.on_gpu, found.is_checked), (True, False))

    def test_what_was_unwritten_is_in_the_smaller_case_too_or_that_is_not_told(self):
        unwritten = {"kind": "uninitialised", "file": "k.cu", "line": 3}
        failed, found = self.shrink(findings=[unwritten])
        self.assertIs(found, failed)
        report = f"""echo '{json.dumps({"findings": [unwritten]})}' > "$CUDASIM_REPORT";"""
        _, found = self.shrink(findings=[unwritten], alone=report + FAILS)
        self.assertEqual((found.error, found.diagnosis, len(found.findings)), ("2 off", "", 1))

    def test_a_case_that_does_not_fail_alone_is_not_told(self):
        for alone in ("""echo '{"matches": true}' > "$file"; exit 0""", "exit 3"):
            failed, found = self.shrink(alone=alone)
            self.assertIs(found, failed)

    def test_what_is_known_already_is_not_searched_for(self):
        for kind, is_searched in (("race", False), ("leak", True)):
            failed, found = self.shrink(findings=[{"kind": kind, "file": "k.cu", "line": 3, "allocation": 1}])
            self.assertEqual(found is not failed, is_searched)
        failed, found = self.shrink(options=["--size", "33", "--flag"])
        self.assertIs(found, failed)


class TimeLimit(support.ScratchCase):
    def test_a_program_that_ignores_its_time_limit_is_ended(self):
        program = self.script("program", "exec sleep 30")
        with unittest.mock.patch.object(programs, "GRACE_S", 0.1):
            ending = programs.Run([str(program)], {}, 0.2).to_its_end()
        self.assertEqual((ending.status, ending.error), (3, "the program did not end within 0.3 seconds"))


class WithAuthor(unittest.TestCase):
    """What is said of an element that equals unwritten memory, where a thread has stored it."""

    def error(self, error):
        trial = unittest.mock.Mock(settings={"CUDASIM_CHECK": "all,host"})
        return verdict.with_author(unittest.mock.Mock(error=error, findings=[]), trial)

    def test_the_last_of_all_keys_stands_for_a_missing_one(self):
        words = "where one is missing: which step brought it before a key of the input?"
        key = "1 key holds what memory holds that nobody wrote, 0xffffffff"
        self.assertIn(words, self.error(key + ", which is the last of all keys, too"))
        self.assertNotIn(words, self.error(key))


if __name__ == "__main__":
    unittest.main()
