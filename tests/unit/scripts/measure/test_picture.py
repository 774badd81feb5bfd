# SPDX-License-Identifier: MIT
"""The pictures of benchmark figures, where matplotlib is installed, and what happens where it is not."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import unittest
from unittest import mock

import support
from support import bench_file, bench_report
from workbook_lib.base.errors import WorkbookError
from workbook_lib.machine import plotting, toolkit
from workbook_lib.measure import bench_data, picture

SIZES = [2**k for k in range(10, 31, 2)]


@unittest.skipUnless(importlib.util.find_spec("matplotlib"), "needs matplotlib")
class Draw(support.ScratchCase):
    def bench(self, *reports):
        return bench_data.from_json(bench_file(*reports))

    def ladder(self, us=20.0):
        stages = [(f"answer-stage{n:02}", bench_report(n, SIZES, us * (8 - n))) for n in range(1, 8)]
        return self.bench(*stages, ("variant-stage07-kahan", bench_report(7, SIZES)))

    def draw(self, bench, name="bench.svg"):
        return [file.name for file in picture.draw(bench, self.folder / name)]

    def text(self, name="bench.svg"):
        return (self.folder / name).read_text(encoding="utf-8")

    def test_stages_the_library_and_the_copy_are_named(self):
        self.assertEqual(self.draw(self.ladder()), ["bench.svg"])
        for words in (
            "reduction on NVIDIA H200",
            "01 idea 1",
            "07 idea 7",
            "cub::DeviceReduce::Sum",
            "4,000 GB/s",
            "Time, µs",
            "2³⁰",
        ):
            self.assertIn(words, self.text())
        self.assertNotIn("kahan", self.text())

    def test_variants_are_drawn_beside_one_stage(self):
        self.draw(self.bench(("answer-stage07", bench_report(7)), ("variant-stage07-kahan", bench_report(7))))
        self.assertIn("07 kahan", self.text())

    def test_the_same_figures_give_the_same_bytes_in_another_process(self):
        figures = self.folder / "bench.json"
        bench_data.write(figures, self.ladder())
        for name, seed in (("first.svg", "1"), ("second.svg", "2")):
            subprocess.run(
                [
                    sys.executable,
                    str(support.ROOT / "scripts/workbook"),
                    "bench",
                    "--from",
                    figures,
                    "--picture",
                    self.folder / name,
                ],
                check=True,
                capture_output=True,
                timeout=100,
                env={**os.environ, "PYTHONHASHSEED": seed},
            )
        self.assertEqual(self.text("first.svg"), self.text("second.svg"))
        self.assertNotRegex(self.text("first.svg"), r"dc:date|Matplotlib v")
        self.assertIn(picture.DIGEST + picture.digest(self.ladder()), self.text("first.svg"))
        self.assertNotEqual(picture.digest(self.ladder()), picture.digest(self.ladder(21.0)))

    def test_an_svg_has_a_ground_of_its_own(self):
        self.draw(self.ladder())
        self.assertRegex(self.text(), r'<g id="patch_1">\s*<path[^>]*style="fill: #ffffff')

    def test_lines_differ_without_colour(self):
        styles = [picture.line_style(number) for number in range(20)]
        self.assertEqual(len({(style["marker"], style["linestyle"]) for style in styles}), 20)
        self.assertEqual(len({style["color"] for style in styles}), 7)

    def test_each_family_has_a_picture(self):
        integration = bench_report(9, problem="an integral")
        for figures in integration["sizes"]:
            figures["work"]["bytes_read"] = 0
        bench = self.bench(("answer-stage01", bench_report(1)), ("answer-stage09", integration))
        self.assertEqual(self.draw(bench), ["bench.svg", "bench_an_integral.svg"])
        self.assertIn("Billions of elements a second", self.text("bench_an_integral.svg"))
        self.assertNotIn("GB/s", self.text("bench_an_integral.svg"))

    def test_a_sweep_is_drawn_over_the_block_size(self):
        self.draw(self.bench(*(("answer-stage10", bench_report(10, block_size=2**k)) for k in range(1, 11))))
        self.assertIn("threads a block", self.text())
        self.assertIn("1,024", self.text())
        self.assertEqual(len(re.findall("10, size 2", self.text())), 2)

    def test_long_labels_make_the_picture_wider(self):
        def width(us, name):
            self.draw(self.bench(*(("answer-stage10", bench_report(10, us=us, block_size=k)) for k in (2, 4))), name)
            return float(re.search(r'viewBox="0 0 ([\d.]+) ', self.text(name))[1])

        self.assertLess(width(97.5, "short.svg"), width(1.5e6, "long.svg"))
        self.assertIn("1,000,000", self.text("long.svg"))

    def test_labels_of_sizes_stand_apart(self):
        cubes = [(2 ** (3 * k), f"{2**k}³") for k in range(6, 14)]
        crowded = [*cubes, (2**28, "64x64x65536"), (2**30, "4096x4096x64"), (1025**3, "1025³")]
        self.assertEqual(picture.apart(crowded), dict(cubes))
        self.assertEqual(picture.apart([(2**k, f"2{k}") for k in range(10, 22)]), {2**k: f"2{k}" for k in range(10, 22)})
        self.assertEqual(picture.apart([]), {})

    def test_png(self):
        self.draw(self.ladder(), "bench.png")
        drawn = (self.folder / "bench.png").read_bytes()
        self.assertEqual(drawn[:4], b"\x89PNG")
        self.assertIn((picture.DIGEST + picture.digest(self.ladder())).encode(), drawn)
        self.assertLess(len(drawn), 60_000)


class WithoutMatplotlib(support.ScratchCase):
    def setUp(self):
        super().setUp()
        self.path = list(sys.path)
        self.addCleanup(lambda: setattr(sys, "path", self.path))
        sys.path = [str(self.folder / "none")]
        self.enterPatch(mock.patch.object(plotting, "are_importable", self.are_importable))
        self.said = []

    def enterPatch(self, patch):
        self.addCleanup(patch.stop)
        return patch.start()

    def are_importable(self, modules):
        return all(any(os.path.isdir(os.path.join(folder, name)) for folder in sys.path) for name in modules)

    def bring(self):
        plotting.make_importable(self.folder, self.said.append)

    def fake_pip(self, requirements, folder, say):
        self.assertEqual(requirements, plotting.REQUIREMENTS)
        for name in plotting.PAGE:
            (folder / name).mkdir()

    def test_a_copy_comes_into_toolkit_once_for_pictures_and_the_page(self):
        with mock.patch.object(toolkit, "pip_install", self.fake_pip):
            self.bring()
        self.assertTrue(self.are_importable(plotting.PAGE))
        sys.path = []
        with mock.patch.object(toolkit, "pip_install", self.fail):
            plotting.make_importable(self.folder, self.said.append, plotting.PAGE)
        self.assertEqual(len(list((self.folder / ".toolkit").iterdir())), 1)

    def test_what_is_installed_is_taken(self):
        (self.folder / "none" / "matplotlib").mkdir(parents=True)
        with mock.patch.object(toolkit, "pip_install", self.fail):
            self.bring()
        self.assertFalse((self.folder / ".toolkit").exists())

    def test_where_nothing_helps_one_line_says_what_to_do(self):
        with mock.patch.object(toolkit, "pip_install", side_effect=WorkbookError("no network")):
            with self.assertRaisesRegex(WorkbookError, "matplotlib could not be installed.*apt-get install") as caught:
                self.bring()
        self.assertNotIn("\n", str(caught.exception))

    def test_the_table_comes_before_the_picture(self):
        figures = self.folder / "bench.json"
        figures.write_text(json.dumps(bench_file(("answer-stage07", bench_report(7)))), encoding="utf-8")
        command = support.CommandCase("workbook")
        with mock.patch.object(plotting, "make_importable", side_effect=WorkbookError("no matplotlib")):
            command.folder = self.folder
            status, output, messages = command.workbook("bench", "--from", figures, "--picture", self.folder / "x.svg")
        self.assertEqual(status, 2)
        self.assertIn("reduction on NVIDIA H200", output)
        self.assertIn("no matplotlib", messages)

    def test_the_copy_is_pinned(self):
        text = plotting.REQUIREMENTS.read_text(encoding="utf-8")
        for requirement in re.split(r"^(?=\w)", text, flags=re.MULTILINE)[1:]:
            self.assertRegex(requirement, r"^[\w-]+==[\d.]+( ; python_full_version [^\\]*)? \\\n( +--hash=sha256:[0-9a-f]{64}( \\)?\n)+$")


if __name__ == "__main__":
    unittest.main()
