# SPDX-License-Identifier: MIT
"""The page about a class: every figure of its data is in it, it asks nobody for anything, and names can be hidden. Read by
Python, and by a Chromium where there is one."""

import importlib.util
import unittest

import browser
import support
from browser import CHROMIUM, Page, at
from grade import books
from workbook_lib.grade import book, grading
from workbook_lib.grade.grading import StageGrade
from workbook_lib.grade.page import class_data, class_page


def figures(data, path=""):
    """The paths of all that a page shows of the data."""
    if isinstance(data, dict):
        return {each for name, value in data.items() for each in figures(value, f"{path}.{name}" if path else name)}
    if isinstance(data, list):
        return {each for number, value in enumerate(data) for each in figures(value, f"{path}.{number}")}
    return {path}


@unittest.skipUnless(importlib.util.find_spec("jinja2"), "Jinja2 is not installed")
class ClassPage(books.BookCase):
    def gathered(self, hides_names=False):
        grades = {**books.GRADES, "<emil> & \"x\"": [StageGrade("stage01", grading.GRADER_ERROR), books.GRADES["ada"][1]]}
        made = self.made(grades=grades)
        made["problems"] = ["zoe <b> is of nobody"]
        return class_data.gather(made, hides_names)

    def compare(self, data, text):
        page = Page(text)
        for path, shown in page.figures.items():
            self.assertEqual(shown, str(at(data, path)), path)
        apart = {path for path in figures(data) if path.startswith("legend") or path.rsplit(".", 1)[-1] in ("number", "title", "version", "hides_names")}
        unseen = {path for path in figures(data) if path.endswith(".more") and at(data, path) == 0}
        self.assertEqual(figures(data) - apart - unseen, set(page.figures))
        return page

    def test_every_figure_is_in_the_page(self):
        data = self.gathered()
        self.assertEqual([each["cells"] for each in data["students"]], [["yes", "yes"], ["no", "no"], ["step", ""], ["no", "no"], ["?", "yes"]])
        self.assertEqual([(each["handed"], each["solved"], each["percent"]) for each in data["stages"]], [(5, 1, "20 %"), (4, 2, "50 %")])
        self.assertEqual([[(each["kind"], each["times"]) for each in stage["mistakes"]] for stage in data["stages"]], [[("not-compiled", 1), ("step-sectors", 1), ("tail", 1)], [("race-in-block", 1), ("time", 1)]])
        self.assertEqual([(each["records"], each["hints"]) for each in data["stages"]], [(0, ""), (1, 2)])
        self.assertEqual(data["stages"][1]["best"], [{"counter": "global load sectors", "best": "4.50", "answer": "2"}])
        self.assertEqual(data["students"][4]["points"], "?")
        page = self.compare(data, class_page.render(data))
        self.assertEqual(browser.blind_spots(page), [])

    def test_names_can_be_hidden(self):
        text = class_page.render(self.gathered(hides_names=True))
        for name in ("ada", "ben", "dora", "emil", "cleo", "zoe"):
            self.assertNotRegex(text, rf"\b{name}\b")
        labels = [each["label"] for each in self.gathered(hides_names=True)["students"]]
        self.assertEqual(labels, [f"student {number}" for number in range(1, 6)])

    def test_the_command_writes_it_and_compares(self):
        file = self.write("grades/grade.json", book.text_of(self.made()))
        status, output, messages = support.run_workbook(support.ROOT, "grade", "--from", file.parent, "--report", self.folder / "class.html", "--compare", file)
        self.assertEqual((status, messages), (0, ""))
        self.assertIn("No grade has changed", output)
        self.assertIn("<h1>The class at a glance</h1>", (self.folder / "class.html").read_text(encoding="utf-8"))

    @unittest.skipUnless(CHROMIUM, "no Chromium is installed")
    def test_in_a_browser(self):
        data = self.gathered()
        self.write("class.html", class_page.render(data))
        dom, said, asked = browser.browse(self.folder, "class.html")
        self.compare(data, dom)
        self.assertNotIn("CONSOLE", said)
        self.assertEqual(asked, [])
        self.assertEqual(browser.fits(self.folder, "class.html"), [])


if __name__ == "__main__":
    unittest.main()
