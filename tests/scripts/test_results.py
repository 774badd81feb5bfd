# SPDX-License-Identifier: MIT
"""From a program's output and the simulator's report to a row of the table."""

import io
import json
import unittest
from pathlib import Path

import support
from workbook_lib import results
from workbook_lib.progress import Progress
from workbook_lib.results import Counts, Result
from workbook_lib.stages import Stage

STAGE = Stage("stage03", 3, "shared memory")


def launch(grid, block, **counters):
    every = dict.fromkeys(
        ("global_load_requests", "global_load_sectors", "shared_bank_conflicts", "barriers", "warp_instructions"), 0
    )
    return {"grid": grid, "block": block, "counters": {**every, **counters}}


def from_launches(launches):
    """A report whose launches are of different kernels."""
    return {"launches": launches, "kernels": [{"counters": one["counters"]} for one in launches]}


class Summarize(unittest.TestCase):
    def test_sums_over_launches_and_barriers_of_the_largest(self):
        report = from_launches(
            [
                launch(
                    [4, 1, 1],
                    [256, 1, 1],
                    barriers=4 * 8 * 9,
                    global_load_requests=30,
                    global_load_sectors=100,
                    warp_instructions=3000,
                    shared_bank_conflicts=5,
                ),
                launch(
                    [1, 1, 1],
                    [256, 1, 1],
                    barriers=8 * 2,
                    global_load_requests=10,
                    global_load_sectors=60,
                    warp_instructions=1096,
                    shared_bank_conflicts=2,
                ),
            ]
        )
        counts = results.summarize(report, 1024)
        self.assertEqual(counts, Counts(4.0, 7, 9.0, 4.0, 160 / 1024, 2))

    def test_a_block_that_is_no_multiple_of_a_warp(self):
        report = from_launches([launch([2, 3, 1], [11, 3, 1], barriers=6 * 2 * 5)])
        self.assertEqual(results.summarize(report, 1).barriers_per_block, 5.0)

    def test_nothing_launched_and_nothing_to_divide_by(self):
        self.assertEqual(results.summarize(from_launches([]), 0), Counts())
        counts = results.summarize(from_launches([launch([1, 1, 1], [32, 1, 1])]), 0)
        self.assertEqual(counts, Counts(None, 0, 0.0, None, None, 1))


class SplitJson(unittest.TestCase):
    def test_the_kernels_own_output_comes_before_the_report(self):
        self.assertEqual(results.split_json('hi\n{ not json\n{"a": 1}\n'), ("hi\n{ not json\n", {"a": 1}))
        self.assertEqual(results.split_json('{\n  "a": {\n "b": 1}\n}\n'), ("", {"a": {"b": 1}}))

    def test_no_report(self):
        for text in ("", "text only\n", "{", "[1]\n"):
            self.assertEqual(results.split_json(text), (text, {}))


class Table(unittest.TestCase):
    rows = [
        Result("stage01", "global memory only", 0, "yes", 1.25e-8, 1234.5, counts=Counts(2.7, 0, 9.0, 8.789)),
        Result("stage02", "no filter", 1, results.NOT_COMPILED),
    ]

    def test_columns_line_up(self):
        lines = results.table(self.rows, "simulator").splitlines()
        self.assertEqual(len(lines), 6)
        for line in lines[4:]:
            self.assertEqual(line.index("global" if "global" in line else "no filter"), lines[2].index("idea"))
        self.assertIn("1,234.500", lines[4])
        self.assertIn("2.70", lines[4])
        self.assertIn("does not compile", lines[5])

    def test_the_time_is_named_for_what_it_is(self):
        simulated, real = (results.table(self.rows, device) for device in ("simulator", "gpu"))
        self.assertIn("simulation", simulated)
        self.assertNotIn("GPU", simulated)
        self.assertIn("GPU", real)
        self.assertNotIn("simulation", real)

    def test_settings_are_said_once_where_they_are_equal_and_in_columns_where_they_differ(self):
        def row(stage, size, block_size, problem="reduction"):
            return Result(stage, "", 0, "yes", size=size, block_size=block_size, problem=problem)

        def said(*rows):
            lines = results.table(rows, "gpu").splitlines()
            return results.headline(rows, "the answers"), "threads" in lines[1], " size " in lines[2]

        equal = [row("stage01", 4096, 256), row("stage02", 4096, 256)]
        self.assertEqual(said(*equal), ("4,096 floats, 256 threads a block: the answers", False, False))
        self.assertEqual(said(*equal, row("stage07", 4096, 1024)), ("4,096 floats: the answers", True, False))
        self.assertEqual(said(*equal, row("stage09", 64, 1024, "integration")), ("The answers", True, True))
        self.assertEqual(said(row("stage09", 64, 2, "integration"))[0], "64 elements, 2 threads a block: the answers")
        self.assertEqual(said(self.rows[1]), ("The answers", False, False))
        self.assertRegex(results.table([*equal, row("stage07", 4096, 1024)], "gpu"), r"07 +yes +1,024 ")


class ExitStatus(unittest.TestCase):
    def test_zero_only_if_all_match(self):
        for statuses, expected in (
            ([0, 0], 0),
            ([0, 1], 1),
            ([77], 1),
            ([0, 3], 3),
            ([1, -11], 3),
            ([2, 3], 2),
            ([1, 77, 0], 1),
        ):
            rows = [Result("stage01", "", status, "") for status in statuses]
            self.assertEqual(results.exit_status(rows), expected, statuses)


class RunStage(support.ScratchCase):
    def run_stage(self, text, device="simulator", counters=False, checks="none"):
        self.script("bin/answer-stage03", text)
        self.said = io.StringIO()
        how = results.How("answer", ["--size", "64"], device, counters, checks)
        return results.run_stage(STAGE, how, self.folder, Progress(self.said))

    def test_a_run_on_the_simulator(self):
        report = json.dumps(from_launches([launch([1, 1, 1], [64, 1, 1], warp_instructions=128)]))
        result = self.run_stage(f"""case "$LD_LIBRARY_PATH" in {self.folder}/simulator*) ;; *) exit 3 ;; esac
            [ "$*" = "--size 64 --json" ] || exit 2
            echo '{report}' > "$CUDASIM_REPORT"
            echo 'from a kernel'; echo 'a finding' >&2
            echo '{{"size": 64, "relative_error": 1e-7, "matches": true, "time_ms": 2.5, "simulated": true}}'""")
        self.assertEqual((result.status, result.outcome, result.time_ms), (0, "yes", 2.5))
        self.assertEqual(result.counts.warp_instructions_per_element, 2.0)
        self.assertIn("a finding\n", self.said.getvalue())
        self.assertIn("from a kernel\n", self.said.getvalue())

    def test_every_ending_has_its_words(self):
        for text, status, words in (
            ("exit 1", 1, "NO"),
            ("exit 2", 2, "wrong usage"),
            ("exit 3", 3, "error"),
            ("exit 77", 77, "not solved yet"),
            ("kill -SEGV $$", -11, "crashed (signal 11)"),
            ("exit 9", 9, "exit status 9"),
        ):
            result = self.run_stage(text)
            self.assertEqual((result.status, result.outcome), (status, words))
            self.assertIsNone(result.relative_error)

    def test_a_gpu_run_meets_no_simulator_unless_counters_are_asked_for(self):
        text = """echo "$LD_LIBRARY_PATH|" >> "$0.log"
            [ -z "$CUDASIM_REPORT" ] || echo '{"launches": []}' > "$CUDASIM_REPORT"
            echo '{"size": 1, "matches": true}'"""
        self.assertIsNone(self.run_stage(text, "gpu").counts)
        log = Path(f"{self.folder}/bin/answer-stage03.log")
        self.assertNotIn(str(self.folder), log.read_text(encoding="utf-8"))
        self.assertEqual(self.run_stage(text, "gpu", counters=True).counts, Counts())
        self.assertEqual(log.read_text(encoding="utf-8").count(f"{self.folder}/simulator"), 1)

    def test_a_finding_is_no_pass_even_if_the_numbers_match(self):
        report = {**from_launches([]), "findings": [{"kind": "race", "file": "todo.cu", "line": 30}]}
        text = f"""[ "$CUDASIM_CHECK" = all ] && echo '{json.dumps(report)}' > "$CUDASIM_REPORT"
            echo '{{"matches": true}}'"""
        result = self.run_stage(text)
        self.assertEqual((result.status, result.outcome, result.findings), (0, "yes", []))
        for device in ("simulator", "gpu"):
            result = self.run_stage(text, device, checks="all")
            self.assertEqual((result.status, result.outcome), (1, "NO: 1 race"))
            self.assertIn("does not count as passed", result.error)
            self.assertEqual(result.as_json()["findings"], report["findings"])

    def test_checked_without_findings_is_a_pass_and_without_a_report_none(self):
        report = json.dumps({**from_launches([]), "findings": []})
        matches = "echo '{\"matches\": true}'"
        result = self.run_stage(f"echo '{report}' > \"$CUDASIM_REPORT\"; {matches}", checks="race")
        self.assertEqual((result.status, result.outcome), (0, "yes"))
        result = self.run_stage(matches, checks="race")
        self.assertEqual((result.status, result.outcome), (3, "error"))
        self.assertIn("nothing was checked", result.error)

    def test_every_other_task_must_match_as_well(self):
        text = """echo "$*" >> "$0.log"
            case "$*" in
            *min*) echo '{"matches": false, "error": "wrong by far"}'; exit 1 ;;
            *size\\ 9*) echo '{"matches": true, "time_ms": 7}' ;;
            *) echo '{"matches": true, "time_ms": 5, "other_tasks": ["--size 9 --operation sum", %s]}' ;;
            esac"""
        self.assertEqual(self.run_stage(text % '"--size 9 --operation max"').outcome, "yes")
        log = Path(f"{self.folder}/bin/answer-stage03.log").read_text(encoding="utf-8").splitlines()
        expected = ["--size 64 --json", "--size 9 --operation sum --json", "--size 9 --operation max --json"]
        self.assertEqual(log, expected)
        result = self.run_stage(text % '"--size 9 --operation min", "--size 9 --operation max"')
        self.assertEqual((result.status, result.outcome, result.time_ms), (1, "NO", 5))
        self.assertEqual(result.error, "with --size 9 --operation min: wrong by far")

    def test_a_program_that_ends_before_its_check_does_not_match(self):
        for text in ("exit 0", "echo '{}'", "echo '{\"matches\": false}'"):
            result = self.run_stage(text)
            self.assertEqual((result.status, result.outcome), (3, "error"))
            self.assertIn("without a report", result.error)

    def test_the_reason_of_a_failure_is_kept(self):
        self.assertEqual(self.run_stage('echo \'{"matches": false, "error": "why"}\'; exit 1').error, "why")

    def test_a_program_that_is_not_there(self):
        result = results.run_stage(STAGE, results.How("answer", [], "simulator"), self.folder, Progress(io.StringIO()))
        self.assertEqual(result.outcome, "error")


if __name__ == "__main__":
    unittest.main()
