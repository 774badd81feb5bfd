# SPDX-License-Identifier: MIT
"""What follows from the figures of benchmark programs, and the file that keeps them."""

import json
import unittest
from pathlib import Path

import support
from support import bench_file, bench_report
from workbook_lib.base.errors import WorkbookError
from workbook_lib.measure import bench_data, bench_table, measured_text
from workbook_lib.measure.bench_data import Program

N = 2**24


def bench(*reports):
    return bench_data.from_json(bench_file(*reports))


class Figures(unittest.TestCase):
    def test_rates_and_ratios(self):
        point = Program("answer-stage07", bench_report(7, us=37.5)).points[N]
        self.assertEqual(point.time_us, 40.0)
        self.assertAlmostEqual(point.gb_s, 4 * N / 40e-6 / 1e9)
        self.assertAlmostEqual(point.of_copy, point.gb_s / 4000)
        self.assertAlmostEqual(point.over_peer(), 40.0 / 22.5)

    def test_without_an_input_there_is_no_bandwidth_and_without_a_peer_no_ratio(self):
        report = bench_report(9)
        for figures in report["sizes"]:
            figures.update(work=support.work(0, figures["size"]), peers=[])
        point = Program("answer-stage09", report).points[N]
        self.assertEqual((point.gb_s, point.of_copy, point.gflop_s, point.over_peer()), (None, None, None, None))

    def test_bytes_are_those_read_and_written_and_operations_count_where_they_dominate(self):
        report = bench_report(11, us=37.5)
        figures = report["sizes"][1]
        figures["work"].update(bytes_written=4 * N, operations=N)
        point = Program("answer-stage11", report).points[N]
        self.assertAlmostEqual(point.gb_s, 8 * N / 40e-6 / 1e9)
        figures["work"]["operations"] = 1000 * N
        point = Program("answer-stage11", report).points[N]
        self.assertIsNone(point.gb_s)
        self.assertAlmostEqual(point.gflop_s, 1000 * N / 40e-6 / 1e9)
        self.assertEqual((point.of_peak, point.clock_mhz), (None, None))

    def test_a_share_of_the_peak_is_shown_where_arithmetic_takes_the_time(self):
        report = bench_report(11, sizes=(N,))
        figures = report["sizes"][0]
        figures.update(of_peak=0.75, clock_mhz={"median": 1650.0})
        of_memory = bench(("answer-stage11", report))
        self.assertIsNone(of_memory.programs[0].points[N].of_peak)
        self.assertNotIn("MHz", bench_table.family_table(of_memory, of_memory.programs))
        figures["work"]["operations"] = 1000 * N
        computes = bench(("answer-stage11", report))
        table = bench_table.family_table(computes, computes.programs)
        self.assertRegex(table, r"(?s)of the +clock.*GFLOP/s +peak +MHz.* 75 % +1,650 ")

    def test_a_peer_that_is_missing_has_no_time_and_others_have(self):
        report = bench_report(11, peers=["cublasSgeam", "a copy"])
        report["sizes"][1]["peers"].insert(0, {"name": "cublasSgeam", "missing": "this toolkit has no cuBLAS"})
        point = Program("answer-stage11", report).points[N]
        self.assertEqual((point.over_peer(0), point.peer_us(1)), (None, 22.5))
        text = bench_table.text(bench(("answer-stage11", report)))
        self.assertIn("\npeer: cublasSgeam (this toolkit has no cuBLAS)\npeer 2: a copy\n", text)
        self.assertRegex(text, r"2\^24 .* - +- +22\.5 +1\.00 ")

    def test_rows_of_one_size_are_cases_with_a_table_each(self):
        def report(stage, us):
            found = bench_report(stage, us=us, problem="find")
            rows = [{**row, "case": case} for row in found["sizes"] for case in ("--hits none", "--hits one")]
            for row in rows[1::2]:
                row["time_us"] = {name: 2 * time for name, time in row["time_us"].items()}
            rows[0]["work"] = support.work(4096, 1024, "keys")
            return {**found, "sizes": rows}

        programs = [
            program
            for stage, us in ((6, 97.5), (7, 47.5))
            for program in bench_data.programs_of(f"answer-stage{stage:02}", report(stage, us))
        ]
        run = bench_data.Bench("NVIDIA H200", "scripts/workbook bench", programs)
        self.assertEqual([p.case for p in run.programs], ["--hits none", "--hits one"] * 2)
        self.assertEqual([p.points[N].time_us for p in run.programs], [100.0, 200.0, 50.0, 100.0])
        self.assertEqual([run.speedup(program, N) for program in run.programs], [None, None, 2.0, 2.0])
        self.assertEqual([[p.stage for p in family] for family in run.families()], [[6, 7], [6, 7]])
        again = bench_data.from_json(run.as_json())
        self.assertEqual(again.as_json(), run.as_json())
        text = bench_table.text(again)
        self.assertRegex(text, r"(?s)^find --hits none on .*Gkey/s.*\nfind --hits one on ")
        self.assertEqual(text.count("Gkey/s"), 1)  # the other counts no keys
        lesson = measured_text.all_sizes(again, "stage07")
        self.assertRegex(lesson, r"(?s)^`--hits none`\n\n\|.*Gkey/s.*\n\n`--hits one`\n\n\|.*error.*\n\nNVIDIA H200")

    def test_the_stage_before_computes_the_same(self):
        run = bench(
            ("answer-stage06", bench_report(6, us=97.5)),
            ("variant-stage07-two_words", bench_report(7, us=77.5, block_size=1024)),
            ("answer-stage07", bench_report(7, us=47.5, block_size=1024)),
            ("answer-stage08", bench_report(8, problem="operator")),
            ("answer-stage10", bench_report(10)),
        )
        self.assertEqual([p.label for p in run.programs], ["06", "07", "07 two words", "08", "10"])
        self.assertEqual([run.speedup(program, N) for program in run.programs], [None, 2.0, 50 / 80, None, None])
        self.assertIsNone(run.speedup(run.find("answer-stage07"), 12345))
        self.assertEqual([len(family) for family in run.families()], [4, 1])

    def test_a_todo_is_held_against_a_todo(self):
        run = bench(("todo-stage02", bench_report(2)), ("answer-stage01", bench_report(1)))
        self.assertIsNone(run.before(run.find("todo-stage02")))

    def test_in_a_sweep_the_stage_before_has_the_same_block_size(self):
        run = bench(*((f"answer-stage{s:02}", bench_report(s, block_size=b)) for s in (9, 10) for b in (2, 4)))
        self.assertEqual(run.before(run.find("answer-stage10", 4)).block_size, 4)


class Rounds(unittest.TestCase):
    def test_medians_of_medians_extremes_of_extremes_and_the_worst_error(self):
        rounds = [bench_report(1, us=us) for us in (97.5, 17.5, 37.5)]
        rounds[1]["sizes"][1].update(error_u=0.5)
        for one in rounds:
            one["sizes"][1]["peers"].append({"name": "cublasSgeam", "missing": "no cuBLAS"})
        joined = bench_data.join_rounds(rounds)
        figures = joined["sizes"][1]
        self.assertEqual(figures["time_us"]["median"], 40.0)
        self.assertEqual((figures["time_us"]["min"], figures["time_us"]["max"]), (0.9 * 20, 1.5 * 100))
        self.assertEqual((figures["samples"], figures["error_u"]), (63, 0.5))
        self.assertEqual(figures["peers"][0]["time_us"]["median"], 22.5)
        self.assertEqual(figures["peers"][1], {"name": "cublasSgeam", "missing": "no cuBLAS"})
        self.assertEqual(joined["rounds"], 3)

    def test_a_size_that_failed_in_one_round_has_no_times(self):
        rounds = [bench_report(1) for _ in range(3)]
        rounds[1]["sizes"][1].update(matches=False, reason="off by one")
        program = Program("answer-stage01", bench_data.join_rounds(rounds))
        self.assertEqual((list(program.points), program.matches), ([1024], False))
        self.assertEqual(program.problems, ["size 16,777,216: does not match: off by one"])

    def test_one_round_stays_as_it_is_and_no_finite_error_is_none(self):
        report = bench_report(1)
        self.assertEqual(bench_data.join_rounds([report]), report)
        report["sizes"][0]["error_u"] = None
        self.assertIsNone(bench_data.join_rounds([report, bench_report(1)])["sizes"][0]["error_u"])


class File(support.ScratchCase):
    def test_what_is_written_is_read(self):
        file = self.folder / "bench.json"
        run = bench(("answer-stage01", bench_report(1)), ("variant-stage01-x", bench_report(1)))
        bench_data.write(file, run)
        self.assertEqual(bench_data.read(file).as_json(), run.as_json())
        text = file.read_text(encoding="utf-8")
        self.assertEqual(sum('"size"' in line for line in text.splitlines()), 4)
        self.assertTrue(all('"matches"' in line for line in text.splitlines() if '"size"' in line))

    def test_other_files_are_refused(self):
        file = self.folder / "bench.json"
        whole = bench_file(("answer-stage01", bench_report(1)))
        broken = bench_file(("answer-stage01", bench_report(1)))
        del broken["programs"][0]["copy_gb_s"]
        strange = bench_file(("kahan", bench_report(1)))
        for content, words in (
            ("{", "is no JSON"),
            ("[]", "holds no figures"),
            (json.dumps({**whole, "format": 1}), "format 2"),
            (json.dumps(broken), "lacks figures: 'copy_gb_s'"),
            (json.dumps(strange), "'kahan' is no program of a stage"),
        ):
            file.write_text(content, encoding="utf-8")
            with self.assertRaisesRegex(WorkbookError, words):
                bench_data.read(file)
        with self.assertRaisesRegex(WorkbookError, "cannot read"):
            bench_data.read(Path("no-such-file"))


class Table(unittest.TestCase):
    def test_all_figures_of_a_row(self):
        run = bench(("answer-stage06", bench_report(6, us=97.5)), ("answer-stage07", bench_report(7, us=47.5)))
        lines = bench_table.text(run).splitlines()
        self.assertIn(
            "reduction on NVIDIA H200, inputs not in the cache, 21 samples of each time, 256 threads", lines[0]
        )
        self.assertEqual(lines[1], "peer: cub::DeviceReduce::Sum, CUB 3.0.1")
        self.assertIn("copy from device to device: 4,000 GB/s; a launch that does nothing: 2.40", lines[2])
        row = next(line for line in lines if line.startswith("2^24  07"))
        self.assertEqual(row.split(), "2^24 07 idea 7 50.0 49.0 to 51.0 1,342 34 % 22.5 2.22 2.00 0.25".split())

    def test_sizes_stand_apart_and_block_sizes_have_a_column_where_they_differ(self):
        run = bench(("answer-stage06", bench_report(6)), ("answer-stage07", bench_report(7, block_size=1024)))
        lines = bench_table.text(run).splitlines()
        first = next(index for index, line in enumerate(lines) if line.startswith("2^24"))
        self.assertEqual(lines[first - 1], "")
        self.assertRegex(lines[first], r"idea 6 +256 ")
        self.assertRegex(lines[first + 1], r"idea 7 +1,024 ")
        self.assertNotIn("threads a block", lines[0])

    def test_a_family_without_input_has_no_bandwidth(self):
        report = bench_report(9, problem="integration")
        for figures in report["sizes"]:
            figures["work"]["bytes_read"] = 0
        text = bench_table.text(bench(("answer-stage09", report), ("answer-stage07", bench_report(7))))
        reduction, integration = text.split("integration on")
        self.assertEqual((reduction.count(" GB/s    "), integration.split("\n\n")[1].count("GB/s")), (1, 0))

    def test_sizes_without_times_are_named_below(self):
        report = bench_report(1)
        report["sizes"][0].update(matches=False, reason="off by one")
        report["sizes"].append({"size": 2**30, "skipped": "needs more memory"})
        text = bench_table.text(bench(("answer-stage01", report)))
        self.assertIn(
            "\n\n01, size 1,024: does not match: off by one\n01, size 1,073,741,824: needs more memory\n\n", text
        )
        self.assertNotIn("2^10", text)
        self.assertIn("2^24", text)

    def test_skipped_is_no_mistake_and_nothing_at_all_no_table(self):
        report = bench_report(1)
        report["sizes"] = [{"size": 8, "skipped": "no memory"}]
        self.assertTrue(Program("answer-stage01", report).matches)
        self.assertTrue(bench_table.text(bench(("answer-stage01", report))).startswith("01, size 8: no memory"))

    def test_sizes_of_two_extents(self):
        report = bench_report(11)
        for figures, size in zip(report["sizes"], ("64x48", "4096x4096")):
            figures["size"] = size
        report["block_size"] = "32x8"
        lines = bench_table.text(bench(("answer-stage11", report))).splitlines()
        self.assertIn(", 32x8 threads a block", lines[0])
        self.assertRegex("\n".join(lines), r"\n +64x48  11  .*\n\n4096x4096  11 ")

    def test_no_more_digits_than_a_measurement_has(self):
        times = [bench_table.microseconds(time) for time in (3.333, 24.28, 195.64, 2973.99, 29452.9, 1884743.29, None)]
        self.assertEqual(times, ["3.33", "24.3", "195.6", "2,974", "29,450", "1,885,000", "-"])
        self.assertEqual([bench_table.ratio(value) for value in (0.741, 12.3, 552.41)], ["0.74", "12.30", "552.4"])


if __name__ == "__main__":
    unittest.main()
