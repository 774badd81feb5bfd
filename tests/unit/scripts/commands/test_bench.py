# SPDX-License-Identifier: MIT
"""scripts/workbook bench over programs that are small scripts: what they are asked, and what becomes of what they
answer."""

import json
import re
import unittest

import support
from support import bench_report
from workbook_lib.commands import bench_command
from workbook_lib.course.stages import Stage
from workbook_lib.machine.device import Gpu

STAGES = [Stage("stage06", 6, "unroll"), Stage("stage07", 7, "one pass"), Stage("stage09", 9, "atomics")]


class Sizes(unittest.TestCase):
    def test_lists_powers_and_ranges(self):
        for text, sizes in (
            ("1024", [1024]),
            ("2^20,3,2^1", [2, 3, 2**20]),
            ("2^10-2^16", [2**10, 2**12, 2**14, 2**16]),
            ("2^10-2^13", [2**10, 2**12, 2**13]),
            ("5,2^10-2^12", [5, 2**10, 2**12]),
            ("2^12x2^12,64x48,1024", [1024, "64x48", "4096x4096"]),
        ):
            self.assertEqual(bench_command.size_list(text), sizes)


class OnGpu(support.CommandCase):
    STAGES = STAGES
    PROBED = (Gpu("NVIDIA H200", (9, 0), (13, 0)), "")

    def setUp(self):
        super().setUp()
        self.log = self.folder / "log"
        self.json = self.folder / "bench.json"

    def bench(self, name, report, status=0):
        """A benchmark program, which writes down how it was called."""
        self.program(f"build/default/bin/bench-{name}", report, status, text=f'echo "{name} $*" >> {self.log}')

    def calls(self):
        """Without the file that it writes its report to."""
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return [line.partition("--json")[0].strip() for line in lines]

    def saved(self):
        return json.loads(self.json.read_text(encoding="utf-8"))

    def test_all_stages_in_families(self):
        self.bench("answer-stage06", bench_report(6, us=97.5))
        self.bench("answer-stage07", bench_report(7, us=47.5))
        self.bench("answer-stage09", bench_report(9, problem="integration"))
        status, output, _ = self.workbook("bench", "--json", self.json)
        self.assertEqual(status, 0)
        self.assertEqual(self.built, [["bench_answer_stage06", "bench_answer_stage07", "bench_answer_stage09"]])
        self.assertEqual(self.calls()[0], "answer-stage06")  # at the program's own sizes
        self.assertEqual((output.count("reduction on NVIDIA H200"), output.count("integration on NVIDIA H200")), (1, 1))
        self.assertRegex(output, r"2\^24 +07 +idea 7 .* 2\.00 ")
        saved = self.saved()
        self.assertEqual(
            (saved["format"], saved["device"], saved["command"]), (2, "NVIDIA H200", "scripts/workbook bench")
        )
        self.assertEqual(
            [program["name"] for program in saved["programs"]], ["answer-stage06", "answer-stage07", "answer-stage09"]
        )
        self.assertNotIn("date", saved)

    def test_rounds_take_turns(self):
        self.bench("answer-stage06", bench_report(6))
        self.bench("answer-stage07", bench_report(7))
        self.workbook(
            "bench", "6-7", "--rounds", 2, "--sizes", "2^3", "--samples", 5, "--block-size", 64, "--json", self.json
        )
        options = "--sizes 8 --samples 5 --block-size 64"
        self.assertEqual(self.calls(), [f"answer-stage06 {options}", f"answer-stage07 {options}"] * 2)
        saved = self.saved()
        self.assertEqual([program["rounds"] for program in saved["programs"]], [2, 2])
        self.assertEqual(
            saved["command"], "scripts/workbook bench 6-7 --sizes 2^3 --samples 5 --rounds 2 --block-size 64"
        )

    def test_what_follows_two_dashes_is_for_the_programs(self):
        self.bench("answer-stage06", bench_report(6))
        self.workbook("bench", "6", "--json", self.json, "--", "--beta", 1)
        self.assertEqual(self.calls(), ["answer-stage06 --beta 1"])
        self.assertEqual(self.saved()["command"], "scripts/workbook bench 6 -- --beta 1")

    def test_ctrl_c_keeps_what_was_measured(self):
        self.bench("answer-stage06", bench_report(6, us=97.5))
        self.bench("answer-stage07", bench_report(7, us=47.5))
        self.script("build/default/bin/bench-answer-stage09", "kill -INT $PPID; sleep 1")
        status, output, messages = self.workbook("bench", "--json", self.json)
        self.assertEqual(status, 130)
        self.assertIn("stopped", messages)
        self.assertEqual([program["name"] for program in self.saved()["programs"]], ["answer-stage06", "answer-stage07"])
        self.assertIn("idea 7", output)

    def test_variants_come_after_their_stage(self):
        (self.folder / "targets").write_text(
            "bench_variant_stage07_two_words: phony\n... bench_variant_stage05_x\n", encoding="utf-8"
        )
        self.bench("answer-stage06", bench_report(6))
        self.bench("answer-stage07", bench_report(7, us=37.5))
        self.bench("variant-stage07-two_words", bench_report(7, us=77.5))
        status, output, _ = self.workbook("bench", "6-7", "--variants")
        self.assertEqual(status, 0)
        self.assertEqual(self.built[0][2], "bench_variant_stage07_two_words")
        self.assertRegex(output, r"2\^24 +07 two words .* 0\.50 ")
        status, _, messages = self.workbook("bench", "6", "--variants")
        self.assertEqual(status, 2)
        self.assertIn("these stages have no variants", messages)

    def test_block_sizes_are_swept(self):
        # The answer's block size is the one that was asked for.
        (self.folder / "report.json").write_text(json.dumps(bench_report(9)), encoding="utf-8")
        change = f"""sed "s/\\"block_size\\": 256/\\"block_size\\": $4/" {self.folder}/report.json > "$file\""""
        self.program("build/default/bin/bench-answer-stage09", text=f'[ "$3" = --block-size ] && {change}')
        status, output, _ = self.workbook(
            "bench", "9", "--block-sizes", "1,1024,64", "--sizes", "8", "--json", self.json
        )
        self.assertEqual(status, 0)
        self.assertEqual([program["block_size"] for program in self.saved()["programs"]], [1, 64, 1024])
        self.assertRegex(output, r"idea 9 +1,024 ")

    def test_what_gives_no_figures_is_named_and_the_others_are_shown(self):
        self.bench("todo-stage06", {"error": "not yet"}, 77)
        self.bench("todo-stage07", bench_report(7))
        self.broken = {"bench_todo_stage09": "todo.cu(1): error"}
        status, output, messages = self.workbook("bench", "--todo", "--rounds", 2)
        self.assertEqual(status, 1)
        self.assertIn("todo-stage06: not yet", messages)
        self.assertIn("todo.cu(1): error", messages)
        self.assertRegex(output, r"2\^24 +07 ")
        self.assertEqual(len(self.calls()), 3)  # the unsolved one is not asked again

    def test_an_error_outweighs_an_unsolved_stage_and_nothing_measured_prints_nothing(self):
        self.bench("todo-stage06", {}, 77)
        self.bench("todo-stage07", {"error": "out of memory"}, 3)
        status, output, messages = self.workbook("bench", "6-7", "--todo", "--json", self.json)
        self.assertEqual((status, output, self.json.exists()), (3, "", False))
        self.assertIn("todo-stage06: not solved yet", messages)

    def test_a_wrong_result_is_no_success(self):
        report = bench_report(7)
        report["sizes"][0] = {"size": 1024, "matches": False, "reason": "off by one"}
        self.bench("answer-stage07", report, 1)
        status, output, _ = self.workbook("bench", "7")
        self.assertEqual((status, output.count("off by one")), (1, 1))

    def test_a_simulated_time_is_refused(self):
        self.bench("answer-stage07", bench_report(7, simulated=True))
        status, output, messages = self.workbook("bench", "7")
        self.assertEqual((status, output), (3, ""))
        self.assertIn("a simulated time is no benchmark", messages)

    def test_saved_figures_are_shown_without_a_run(self):
        self.bench("answer-stage07", bench_report(7))
        shown = self.workbook("bench", "7", "--json", self.json)[1]
        (self.build_folder / "bin" / "bench-answer-stage07").unlink()
        self.built.clear()
        self.assertEqual(self.workbook("bench", "--from", self.json), (0, shown, ""))
        self.assertEqual(self.built, [])


class OnSimulator(support.CommandCase):
    STAGES = STAGES

    def stage(self, name, problem="reduction", block_size=256):
        """A stage's program: two launches, and counters that grow with the size."""
        names = (
            "global_load_requests",
            "global_load_sectors",
            "shared_bank_conflicts",
            "barriers",
            "warp_instructions",
            "global_store_requests",
            "global_store_sectors",
            "atomic_requests",
        )
        counters = dict(zip(names, (2, "@/4", 3, 16, "@*5", 4, 4, 0)))
        launch = {"grid": [1, 1, 1], "block": [64, 1, 1], "counters": counters}
        counted = {"kernels": [{"counters": counters}], "launches": [launch, launch]}
        report = {"matches": True, "problem": problem, "size": "@*1", "block_size": block_size, "time_ms": 98.7}
        report["work"] = {"unit": "floats", "elements": "@*1"}
        described = {"problem": problem, "bench": {"simulated_sizes": ["1048576"]}}

        def shell(value):  # "@*5" becomes five times the size that the program is asked for
            return re.sub(r'"@(..?)"', r"'$((size\1))'", json.dumps(value))

        self.script(
            f"build/default/bin/{name}",
            f"""size=$2; for file in "$@"; do :; done
            [ "$1" = --describe ] && echo '{json.dumps(described)}' > $file && exit 0
            echo '{shell(counted)}' > $CUDASIM_REPORT; echo '{shell(report)}' > $file""",
        )

    def spoil(self, name, text):
        """A stage's program that describes itself and then does this."""
        self.stage(name)
        file = self.build_folder / "bin" / name
        lines = file.read_text(encoding="utf-8").splitlines()
        self.script(f"build/default/bin/{name}", "\n".join([*lines[1:3], text]))

    def test_counters_instead_of_times(self):
        self.stage("answer-stage06")
        self.stage("answer-stage07", block_size=1024)
        self.stage("answer-stage09", "integration")
        status, output, _ = self.workbook("bench")
        self.assertEqual(status, 0)
        self.assertEqual(output.splitlines()[0], "No times on the simulator (none here); what it counts instead:")
        self.assertNotIn("98.7", output)
        self.assertNotRegex(output, "[µm]s |GB/s")
        self.assertEqual(self.built, [["cudasim", "answer_stage06", "answer_stage07", "answer_stage09"]])
        row = next(line for line in output.splitlines() if "one pass" in line)
        self.assertEqual(row.split(), "2^20 07 one pass 1,024 yes 131072.00 1.00 3 8 5.000 0.250 2".split())
        self.assertEqual(output.split("\n\n")[1::2], ["reduction", "integration"])

    def test_what_follows_two_dashes_is_for_the_programs(self):
        self.script(
            "build/default/bin/answer-stage06",
            f"""for file in "$@"; do :; done
            [ "$1" = --describe ] && echo '{{"bench": {{"simulated_sizes": ["8"]}}, "problem": "gemm"}}' > $file && exit 0
            echo "$@" > {self.folder}/words""",
        )
        self.workbook("bench", "6", "--", "--beta", "1")
        self.assertIn("--size 8 --beta 1", (self.folder / "words").read_text(encoding="utf-8"))

    def test_sizes_are_asked_one_by_one(self):
        self.stage("answer-stage07")
        output = self.workbook("bench", "7", "--sizes", "1024,2^12")[1]
        self.assertRegex(output, r"2\^10  07[^\n]*\n\n2\^12  07")

    def test_variants_that_are_not_simulated_are_named_and_not_run(self):
        (self.folder / "targets").write_text(
            "bench_variant_stage07_kahan: phony\nbench_variant_stage07_two_words: phony\n", encoding="utf-8"
        )
        self.stage("answer-stage07")
        self.stage("variant-stage07-kahan")
        for name, line in (("kahan", ""), ("two_words", "// not simulated: warp riddles\n")):
            source = self.folder / "answers" / "stage07" / "variants" / f"{name}.cu"
            source.parent.mkdir(parents=True, exist_ok=True)
            source.write_text(f"// SPDX-License-Identifier: MIT\n{line}// Variant.\n", encoding="utf-8")
        status, output, _ = self.workbook("bench", "7", "--variants")
        self.assertEqual(status, 0)
        self.assertEqual(self.built, [["cudasim", "answer_stage07", "variant_stage07_kahan"]])
        self.assertRegex(output, r"\n2\^20 +07 kahan ")
        self.assertTrue(output.endswith("\n\nNot simulated, these need a GPU: 07 two words (warp riddles)\n"), output)

    def test_an_error_that_the_program_has_written_itself_is_not_said_again(self):
        self.spoil("answer-stage07", """echo 'error: lost' >&2; echo '{"error": "lost"}' > $file; exit 3""")
        status, _, messages = self.workbook("bench", "7")
        self.assertEqual((status, messages.count("lost")), (3, 1))

    def test_a_failure_is_named_and_decides_the_status(self):
        self.stage("answer-stage06")
        self.spoil("answer-stage07", """echo '{"error": "out of memory"}' > $file; exit 3""")
        status, output, messages = self.workbook("bench", "6-7")
        self.assertEqual(status, 3)
        self.assertIn("stage07:\n  out of memory\n", messages)
        self.assertIn("unroll", output)

    def test_a_size_that_a_program_refuses_is_said_in_its_row(self):
        self.stage("answer-stage06")
        self.spoil("answer-stage07", "echo 'error: --size 64x48 has two extents' >&2; exit 2")
        status, output, messages = self.workbook("bench", "6-7", "--sizes", "64")
        self.assertEqual(status, 2)
        self.assertRegex(output, r"\nreduction\n(.*\n)* *2\^6 +07 +one pass +- +wrong usage ")
        self.assertIn("two extents", messages)

    def test_files_need_times(self):
        for option, name in (("--json", "x.json"), ("--picture", "x.svg"), ("--samples", "3"), ("--rounds", "2")):
            status, output, messages = self.workbook("bench", option, self.folder / name if "." in name else name)
            self.assertEqual((status, output), (2, ""))
            self.assertEqual(messages, f"workbook: for {option} times are needed, and so a GPU: none here\n")


if __name__ == "__main__":
    unittest.main()
