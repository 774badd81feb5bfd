# SPDX-License-Identifier: MIT
"""A class: its settings, its points, and grade.json with its schema."""

import argparse
import json
import types
import unittest
from decimal import Decimal

import support
from grade import books
from workbook_lib.base.errors import WorkbookError
from workbook_lib.commands import grade_command
from workbook_lib.grade import book, grading, rules
from workbook_lib.grade.grading import StageGrade
from workbook_lib.grade.rules import Rules

try:
    import jsonschema
except ImportError:
    jsonschema = None

SCHEMA = json.loads((support.ROOT / "scripts/workbook_lib/grade" / book.SCHEMA).read_text(encoding="utf-8"))


class Settings(unittest.TestCase):
    def test_the_template_has_every_setting_with_its_default(self):
        text = rules.TEMPLATE.read_text(encoding="utf-8")
        self.assertEqual(rules.parse(text, "x"), Rules(stages=["0-8"], late=[]))
        for name in ("seed", "due", "table", "stage03"):
            self.assertIn(f"# {name} = ", text)

    def test_points_are_exact(self):
        made = rules.parse("points = 7\ntechnique = 33\n[weights]\nstage03 = 0.125\n", "x")
        self.assertEqual((made.most("stage01"), made.most("stage03")), (7000, 125))
        self.assertEqual(made.earned(StageGrade("stage01", grading.SOLVED)), 7000)
        self.assertEqual(made.earned(StageGrade("stage01", grading.NOT_THE_STEP)), 4690)
        self.assertEqual(made.earned(StageGrade("stage03", grading.NOT_THE_STEP), 10), 75)  # 75.375
        for status in set(grading.STATUSES) - {grading.SOLVED, grading.NOT_THE_STEP}:
            self.assertEqual(made.earned(StageGrade("stage01", status)), 0)
        self.assertEqual([book.points(each) for each in (7000, 125, 0, 10500)], ["7", "0.125", "0", "10.5"])

    def test_who_is_late(self):
        made = rules.parse('[late]\ndue = "2027-03-01 23:59"\ntable = [[24, 10], [48, 25]]\n', "x")
        lost = {
            **{"": 0, "2027-03-01 23:59": 0, "2027-03-02 00:00": 10, "2027-03-02T23:59Z": 10, "2027-03-03 00:00": 25, "2027-03-09": 100},
            **{"2027-03-02 00:30+01:00": 0},
        }
        self.assertEqual({time: made.lost_percent(time, "") for time in lost}, lost)
        self.assertEqual(made.lost_percent("2027-03-09", "2027-03-10"), 0)
        self.assertEqual(Rules().lost_percent("2027-03-09", ""), 0)

    def test_what_cannot_be_right_is_named(self):
        for text, message in (
            ("pionts = 3", "'pionts' is no setting; did you mean points"),
            ("points = -1", "points = -1: give points from 0"),
            ("points = 0.0001", "give points"),
            ("points = true", "give points"),
            ("technique = 101", "technique = 101: give a whole number from 0 to 100"),
            ('shows = "all"', "shows = all: give one of full, own, name, none"),
            ("stages = 3", "give a list of stages"),
            ("seed = -1", "below 2\\^128"),
            ("weights = 3", "weights is a table"),
            ("[weights]\nstage3a = 1", "'stage3a' is no stage"),
            ('[late]\ndue = "soon"', "due = soon: give a time"),
            ("[late]\ntable = [[48, 10], [24, 20]]", "the shortest time first"),
            ("[late]\ntable = [3]", "pairs of hours"),
        ):
            with self.subTest(text), self.assertRaisesRegex(WorkbookError, message):
                rules.parse(text, "class.toml")
        with self.assertRaisesRegex(WorkbookError, "can't be read"):
            rules.read(support.ROOT / "none.toml")
        self.assertEqual(rules.thousandths(Decimal("2.5")), 2500)


class Grades(books.BookCase):
    def mistakes(self, made):
        self.assertEqual(set(made), set(SCHEMA["required"]))
        if jsonschema is None:
            return []
        return [error.message for error in jsonschema.Draft7Validator(SCHEMA).iter_errors(made)]

    def test_grades_keep_to_the_schema(self):
        made = self.made(Rules(weights={"stage03": 20_000}))
        self.assertEqual(self.mistakes(json.loads(book.text_of(made))), [])
        self.assertEqual([(each["points"], each["of"]) for each in made["students"]], [(30000, 30000), (0, 30000), (5000, 30000), (0, 30000)])
        self.assertEqual([each["hints"] for each in made["students"][1]["stages"]], [None, 2])
        if jsonschema is not None:
            jsonschema.Draft7Validator.check_schema(SCHEMA)
            for change in ({"points": 1.5}, {"status": "nearly"}, {"secret": 1}):
                made["students"][0]["stages"][0].update(change)
                self.assertNotEqual(self.mistakes(made), [])
                made = self.made()

    def test_the_schema_knows_every_status(self):
        known = SCHEMA["definitions"]["grade"]["properties"]["status"]["enum"]
        self.assertEqual(sorted(known), sorted(grading.STATUSES))

    def test_late_points_are_lost_and_the_same_bytes_come_again(self):
        late = rules.parse('[late]\ndue = "2027-03-01 23:59"\ntable = [[24, 10]]\n', "x")
        made = self.made(late, roster=self.roster())
        self.assertEqual((made["students"][0]["points"], made["students"][0]["lost_percent"]), (18000, 10))
        self.assertEqual(book.text_of(self.made(late, roster=self.roster())), book.text_of(made))
        with self.assertRaisesRegex(WorkbookError, "no time for ada"):
            self.made(late, roster=self.roster(due="soon"))

    def test_a_time_that_cannot_be_read_ends_it_before_any_work(self):
        late = self.write("late.toml", '[late]\ndue = "2027-03-01"\ntable = [[48, 50]]\n')
        roster = self.write("roster.csv", "username,submitted\nada,1st March\n")
        asked = argparse.Namespace(rules=late, stages=None, roster=roster, submissions=self.folder / "nowhere")
        with self.assertRaisesRegex(WorkbookError, "no time for ada .*'1st March'"):
            grade_command.graded(support.ROOT, asked, None)

    def test_what_is_not_graded_is_no_zero(self):
        made = self.made(grades={"ada": [StageGrade("stage01", grading.GRADER_ERROR), books.GRADES["ada"][1]]})
        self.assertTrue(book.has_grader_error(made["students"][0]))

    def test_other_grades_are_kept_beside_the_new_ones(self):
        first = self.made()
        for made in (first, first, self.made(Rules(points=1000))):
            book.write(made, self.folder)
        self.assertEqual(book.read(self.folder), made)
        self.assertEqual(book.read(self.folder / book.OLD), first)

    def test_grades_are_read_again(self):
        file = self.write("grade.json", book.text_of(self.made()))
        self.assertEqual(book.read(file), book.read(self.folder))
        for text in ("{", "[]", '{"schema": "x", "format": 1}'):
            self.write("grade.json", text)
            with self.assertRaises(WorkbookError):
                book.read(file)


class Secret(unittest.TestCase):
    def test_a_size_that_a_student_sees_says_nothing_of_other_numbers(self):
        """The numbers of a program and the sizes come from different draws of a seed that nobody can try through."""
        described = {"problem": "reduction", "stage": 3, "sizes": [{"largest": 2**40}], "block_sizes": {"accepted": ["32", "64"]}}
        sizes = [grading.secret_sizes(described, seed) for seed in (5, 5, 5 + (1 << 32))]
        self.assertEqual(sizes[0], sizes[1])
        self.assertNotEqual(sizes[0], sizes[2])
        options = [{"name": "function", "values": ["sine", "arc"]}, {"name": "from", "smallest": -1e6, "largest": 1e6}]
        without = grading.secret_sizes({**described, "problem": "integration", "options": options}, 5)
        self.assertEqual({(each[4], each[6]) for each in without}, {("--function", "--from")})
        self.assertGreater(len({each[7] for each in without}), 1)
        self.assertLess(grading.drawn_number(books.SEED, "numbers stage03", 32), 1 << 32)

    def test_a_finding_is_told_without_the_functions_of_the_toolkit(self):
        lines = ["cudasim: error: a race [race]", "  line      stages/stage03/todo.cu:6", "  inlined   atomicAdd(int*) into stages/stage03/todo.cu:6"]
        stage = types.SimpleNamespace(source=lambda kind: "stages/stage03/todo.cu")
        self.assertEqual(grading.shown_finding({"kind": "race", "text": "\n".join(lines)}, stage)["text"], "\n".join(lines[:2]))

    def test_texts_have_neither_folders_nor_control_characters(self):
        text = grading.shown("line /tmp/workbook-1-x/course-y/stages/stage03/todo.cu:6\x1b[1m")
        self.assertEqual(text, "line stages/stage03/todo.cu:6\\x1b[1m")

    def test_an_address_of_the_host_differs_from_run_to_run(self):
        text = grading.shown("a write at 0x55e5dd7f3000, behind 0x70000000000fac; the word is 0x3f800000")
        self.assertEqual(text, "a write at an address of the host, behind 0x70000000000fac; the word is 0x3f800000")


if __name__ == "__main__":
    unittest.main()
