# SPDX-License-Identifier: MIT
"""scripts/tables: the tables of stages/FIGURES.md and the lessons' measured blocks, in a copy of the files that it reads and
writes."""

import json
import shutil
import subprocess
import sys
import unittest
from xml.etree import ElementTree

import support
from support import bench_file, bench_report
from workbook_lib.base import markdown
from workbook_lib.measure import bench_data, picture

SIZES = [2**20, 2**24, 2**28]
MARKS = "<!-- measured:begin {} -->\n<!-- measured:end -->\n"


class Tables(support.ScratchCase):
    def setUp(self):
        super().setUp()
        for name in (
            "README.md", "CMakeLists.txt", "stages/FIGURES.md", "common/counters.md", "common/simulator/base/vocabulary.inc", "stages/CMakeLists.txt",
            "tests/gpu/counters/differs.json", "tests/gpu/counters/ordinary_differ.json",
        ):  # fmt: skip
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(support.ROOT / name, self.folder / name)
        shutil.copytree(support.ROOT / "scripts", self.folder / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
        self.measured = self.folder / "scripts" / "measured"
        for file in [*self.measured.glob("bench_*"), *self.measured.glob("block_sizes_*")]:
            file.unlink()
        self.write("scripts/measured/sentences.txt", "")
        self.write(
            "stages/CMakeLists.txt",
            "".join(f'workbook_stage(stage{n:02} PROBLEM reduction TITLE "idea {n}")\n' for n in (1, 2, 7, 9, 10)),
        )
        for stage, marks in (
            ("stage01", ["step"]),
            ("stage02", ["step"]),
            ("stage07", ["step", "sizes", "variants"]),
            ("stage10", ["step --function", "block-sizes block_sizes_h200", "cpu-ratios cpu_ratios_h200 --function"]),
        ):
            self.write(f"stages/{stage}/README.md", "".join(MARKS.format(mark) for mark in marks))

    def tables(self, *options):
        command = [sys.executable, str(self.folder / "scripts/tables"), *options]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    def measure(self):
        """Figures of stages 1, 2, 7, of a variant, and of 9 and 10, which read no input."""
        integrals = [
            bench_report(n, SIZES, us, problem="integration", peers=["thrust::transform_reduce"])
            for n, us in ((9, 997.5), (10, 37.5))
        ]
        for figures in (figures for report in integrals for figures in report["sizes"]):
            figures["work"].update(bytes_read=0, unit="intervals")
        integrals[1]["function"] = "sine"
        figures = bench_file(
            ("answer-stage01", bench_report(1, SIZES, 197.5)),
            ("answer-stage02", bench_report(2, SIZES, 97.5)),
            ("answer-stage07", bench_report(7, SIZES, 17.5, block_size=1024)),
            ("variant-stage07-two_words", bench_report(7, SIZES, 37.5, block_size=1024)),
            ("answer-stage09", integrals[0]),
            ("answer-stage10", integrals[1]),
        )
        self.save("bench_h200", figures)
        sweep = [("answer-stage10", {**integrals[1], "block_size": 2**k}) for k in range(1, 11)]
        sweep[4] = ("answer-stage10", bench_report(10, SIZES, 7.5, problem="integration", block_size=32))
        for figures in sweep[4][1]["sizes"]:
            figures["work"].update(bytes_read=0, unit="intervals")
        self.save("block_sizes_h200", bench_file(*sweep, command="scripts/workbook bench 10 --block-sizes 2,4"))

    def save(self, name, figures):
        """With a picture that says that it is of these figures."""
        (self.measured / f"{name}.json").write_text(json.dumps(figures), encoding="utf-8")
        digest = picture.digest(bench_data.from_json(figures))
        (self.measured / f"{name}.png").write_text(f"{picture.DIGEST}{digest}", encoding="utf-8")

    def block(self, name, mark):
        text = (self.folder / name).read_text(encoding="utf-8")
        return text.split(f"{mark} -->\n", 1)[1].split("<!-- ", 1)[0]

    def lesson(self, stage, mark=None):
        return self.block(f"stages/{stage}/README.md", f"measured:begin {mark or 'step'}")

    def test_the_ladder(self):
        self.measure()
        self.assertEqual(self.tables().returncode, 0)
        counters = self.block("stages/FIGURES.md", "generated:counters")
        text = self.block("stages/FIGURES.md", "generated:times")
        self.assertIn("| [01](stage01/README.md) | idea 1 | 2.68 | 2.67 | 0 | 8 | 0 | 0.25 | 4.73 |\n", counters)
        rows = {
            line[3:5]: line.split("|")[2:-1] for line in text.splitlines() if line.startswith("| [") and "µs" in line
        }
        cells = {stage: [cell.strip() for cell in row] for stage, row in rows.items()}
        self.assertEqual(cells["02"][:5], ["100.0 µs", "671", "17 %", "4.44", "2.00 × as fast"])
        self.assertEqual(cells["07"][:5], ["20.0 µs", "3,355", "84 %", "0.89", ""])  # there is no stage 06 here
        self.assertEqual(cells["10"][:5], ["40.0 µs", "-", "-", "1.78", "25.00 × as fast"])
        self.assertEqual(cells["02"][5:], ["1,562 µs", "687", "17 %", "4.84"])
        self.assertIn("4,000 GB/s", text)
        self.assertIn(
            "- cub::DeviceReduce::Sum, CUB 3.0.1 (stages 01, 02 and 07)\n- thrust::transform_reduce (stages 09 and 10)", text
        )
        self.assertIn("\n16,777,216 elements. 256 threads a block; 1,024 in stage 07.\n", counters)
        self.assertIn("](../scripts/measured/bench_h200.png)", text)

    def test_the_picture_at_the_head(self):
        self.measure()
        self.write("scripts/measured/first_sight.txt", "$ scripts/workbook run 3 --todo\nkernel <a & b>\n")
        self.assertEqual(self.tables().returncode, 0)
        drawn = ElementTree.fromstring((self.measured / "first_sight.svg").read_text(encoding="utf-8"))
        words = [each.text for each in drawn.iter() if each.tag.endswith("text")]
        self.assertEqual(words[:2], ["$ scripts/workbook run 3 --todo", "kernel <a & b>"])
        self.assertEqual(words[2], "What each step buys: time on one NVIDIA H200 for 16,777,216 floats")
        self.assertEqual(words[3:5] + words[-2:], ["01 idea 1", "200.0 µs", "cub::DeviceReduce::Sum", "22.5 µs"])
        self.write("scripts/measured/first_sight.txt", "other words\n")
        self.assertIn("+<text", self.tables("--check").stdout)

    def test_lessons(self):
        self.measure()
        self.tables()
        second = " ".join(self.lesson("stage02").split())
        self.assertIn("16,777,216 floats, 256 threads a block", second)
        self.assertIn("**100.0 µs** (median of 21 samples, the middle half of them 98.0 to 102.0). That is 671 GB/s", second)
        self.assertIn("Stage 01 in the same run: 200.0 µs, so this step bought a factor of **2.00**", second)
        self.assertIn("`cub::DeviceReduce::Sum` in the same run: 22.5 µs; this stage takes **4.44** of that", second)
        self.assertTrue(all(len(line) <= 118 for line in self.lesson("stage02").splitlines()))
        tenth = " ".join(self.lesson("stage10", "step --function").split())
        self.assertIn("16,777,216 intervals, `--function sine`, 256 threads a block", tenth)
        self.assertNotIn("GB/s", tenth)

    def test_the_tables_of_stages_07_and_10(self):
        self.measure()
        self.tables()
        self.assertIn(
            "| 2^24 | 20.0 (19.6 to 20.4) | 3,355 | 84 % | 22.5 (22.1 to 22.9) | 0.89 | 0.25 |",
            self.lesson("stage07", "sizes"),
        )
        variants = self.lesson("stage07", "variants")
        self.assertIn("| stage 07 itself | 3.59 µs | 1.00 | 20.0 µs | 1.00 | 282.5 µs | 1.00 | 0.25 |", variants)
        self.assertIn("| `two_words` | 4.84 µs | 1.35 | 40.0 µs | 2.00 | 602.5 µs | 2.13 | 0.25 |", variants)
        blocks = self.lesson("stage10", "block-sizes block_sizes_h200")
        self.assertIn("| threads a block | 2^20 intervals | 2^24 intervals | 2^28 intervals |", blocks)
        self.assertIn("| 1,024 | 4.84 µs | 40.0 µs | 602.5 µs |", blocks)
        self.assertIn("| 32 | **2.97 µs** | **10.0 µs** | **122.5 µs** |", blocks)
        self.assertIn("](../../scripts/measured/block_sizes_h200.png)", blocks)

    def test_the_ratios_to_a_cpu(self):
        self.measure()
        times = (("sine", 200.0, 3.0), ("square", 10.0, 2.0), ("sine", 100.0, 4.0), ("square", 12.5, 2.0))
        reports = [
            {
                "stage": stage,
                "function": function,
                "device": "a GPU",
                "size": 2**20,
                "block_size": 64,
                "work": {"unit": "intervals"},
                "time_ms": time,
                "cpu_time_ms": cpu,
            }
            for function, cpu, ms in times
            for stage, time in ((9, 10 * ms), (10, ms / 10))
        ]
        lines = "".join(json.dumps(report) + "\n" for report in reports)
        (self.measured / "cpu_ratios_h200.jsonl").write_text(lines, encoding="utf-8")
        self.assertEqual(self.tables().returncode, 0)
        text = self.lesson("stage10", "cpu-ratios cpu_ratios_h200 --function")
        rows = [line for line in text.splitlines() if line.startswith("| ")]
        self.assertEqual(
            rows[1:],
            [
                "| `square` | 11.2 ms | 20 ms | 1.8 × slower | 0.2 ms | 56.2 × faster |",
                "| `sine` | 150 ms | 35 ms | 4.3 × faster | 0.35 ms | 429 × faster |",
            ],
        )
        self.assertIn("1,048,576 intervals, 64 threads a block; medians of 2 rounds.", text)

    def test_check_finds_a_stale_figure(self):
        self.measure()
        self.assertEqual(self.tables("--check").returncode, 1)
        self.tables()
        self.assertEqual((self.tables("--check").returncode, self.tables("--check").stdout), (0, ""))
        path = self.folder / "stages/stage02/README.md"
        path.write_text(path.read_text(encoding="utf-8").replace("100.0", "99.0"), encoding="utf-8")
        answer = self.tables("--check")
        self.assertEqual(answer.returncode, 1)
        self.assertIn("-**99.0 µs**", answer.stdout)

    def test_a_sentence_of_a_lesson_has_its_figure(self):
        self.measure()
        self.write("scripts/measured/sentences.txt", '# stages/stage09/README.md\nIt takes {us(7, "2^24"):.0f} µs.\nif us(7, "2^24") > 1\n')
        self.write("stages/stage09/README.md", "It takes\n5 µs.\n")
        self.assertIn("+20 µs.", self.tables("--check").stdout)
        self.assertEqual(self.tables().returncode, 0)
        self.assertEqual((self.folder / "stages/stage09/README.md").read_text(encoding="utf-8"), "It takes\n20 µs.\n")
        self.write("stages/stage09/README.md", "It is slow.\n")
        answer = self.tables()
        self.assertEqual(answer.returncode, 1)
        self.assertIn("stages/stage09/README.md: this sentence is there 0 times: It takes", answer.stderr)

    def test_a_picture_of_other_figures_is_found(self):
        self.measure()
        self.tables()
        (self.measured / "bench_h200.png").write_text("of other figures", encoding="utf-8")
        (self.measured / "block_sizes_h200.png").unlink()
        answer = self.tables("--check")
        self.assertEqual(answer.returncode, 1)
        for name in ("bench_h200", "block_sizes_h200"):
            self.assertIn(f"scripts/measured/{name}.png: draw it with scripts/tables --pictures", answer.stdout)

    def test_a_picture_that_no_page_shows_is_found(self):
        self.measure()
        self.tables()
        (self.measured / "bench_h200_sort.png").write_text("", encoding="utf-8")
        answer = self.tables("--check")
        self.assertEqual((answer.returncode, answer.stdout), (1, "tables: scripts/measured/bench_h200_sort.png: no page shows it, so it is not kept\n"))

    def test_a_lesson_has_the_blocks_that_it_asks_for_and_no_others(self):
        self.measure()
        self.write("stages/stage09/README.md", "# no marks\n")
        self.assertEqual(self.tables().returncode, 0)
        self.write("stages/stage09/README.md", MARKS.format("colours"))
        answer = self.tables()
        self.assertEqual(answer.returncode, 1)
        self.assertIn("stages/stage09/README.md: 'colours' is no block: there are step, sizes", answer.stderr)

    def test_a_block_of_a_stage_that_was_not_measured_stays(self):
        self.measure()
        self.write("stages/stage11/README.md", "<!-- measured:begin step -->\nto be measured\n<!-- measured:end -->\n")
        self.assertEqual(self.tables().returncode, 0)
        self.assertEqual(self.lesson("stage11"), "to be measured\n")

    def test_stages_of_other_sizes_have_them_in_their_cells(self):
        self.measure()
        file = self.measured / "h200.json"
        counters = json.loads(file.read_text(encoding="utf-8"))
        counters["stages"]["stage09"]["size"] = "4096x4096"
        file.write_text(json.dumps(counters), encoding="utf-8")
        figures = json.loads((self.measured / "bench_h200.json").read_text(encoding="utf-8"))
        matrix = next(program for program in figures["programs"] if program["name"] == "answer-stage09")
        for row, size in zip(matrix["sizes"], ("1024x1024", "4096x4096", "16384x16384")):
            row.update(size=size, work=support.work(8, 4, operations=10**9), peers=[])
        matrix["peers"] = []
        self.save("bench_h200", figures)
        self.assertEqual(self.tables().returncode, 0)
        counters = self.block("stages/FIGURES.md", "generated:counters")
        text = self.block("stages/FIGURES.md", "generated:times")
        self.assertIn("| stage | time at the lesson's size | GB/s |", text)
        cells = "| 4096x4096: 1,000 µs | 1,000 GFLOP/s | - | - |  | 16384x16384: 15,960 µs |"
        self.assertIn(f"| [09](stage09/README.md) {cells}", text)
        self.assertIn("| [01](stage01/README.md) | 2^24: 200.0 µs | 336 |", text)
        self.assertIn("16,777,216 elements; 4096x4096 in stage 09. ", counters)
        self.assertNotIn("stage 09)", text)  # held against no library


class StageLists(unittest.TestCase):
    def test_three_in_a_row_are_a_range(self):
        for numbers, text in (
            ([8], "stage 08"),
            ([9, 10], "stages 09 and 10"),
            ([1, 2, 3], "stages 01 to 03"),
            ([1, 2, 7], "stages 01, 02 and 07"),
            ([1, 4, 5, 6, 10], "stages 01, 04 to 06 and 10"),
        ):
            self.assertEqual(markdown.stage_list(numbers), text)


if __name__ == "__main__":
    unittest.main()
