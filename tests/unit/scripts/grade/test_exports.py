# SPDX-License-Identifier: MIT
"""What is made of grades for others. Each format is read as its consumer reads it. None shows more than the class allows, and
no text of a student's is more than text there."""

import csv
import io
import json
import os
import re
import subprocess
import unicodedata
import unittest
import xml.etree.ElementTree as tree
import zipfile
from unittest import mock

import support
from grade import books
from workbook_lib.base.errors import WorkbookError
from workbook_lib.grade import book, grading, rules
from workbook_lib.grade.exports import autograder, classroom50, feedback, formats
from workbook_lib.grade.grading import StageGrade
from workbook_lib.grade.rules import Rules

RUNNER = {
    **{"CLASSROOM": "c", "ASSIGNMENT": "a", "SUBMISSION_TAG": "submit/1", "COMMIT_URL": "https://x/c"},
    **{"RELEASE_URL": "https://x/r", "REVIEW_URL": "https://x/v"},
}
NAMES = list(books.GRADES)


class Exported(books.BookCase):
    def exported(self, **changes):
        """By format and student, the text of the file."""
        made = self.made(Rules(**changes))
        with mock.patch.dict(os.environ, RUNNER):
            formats.write(made, formats.NAMES, self.folder)
        found = {}
        for name, form in formats.FORMATS.items():
            for student in NAMES:
                file = self.folder / formats.FOLDER / name / f"{formats.file_name(student)}{form.ending}"
                found[name, student] = file.read_text(encoding="utf-8")
        return found

    def of(self, name, student, **changes):
        return json.loads(self.exported(**changes)[name, student])


class Privacy(Exported):
    def test_no_file_holds_a_secret_or_another_students_data(self):
        secrets = [str(books.SEED), hex(books.SEED)[2:], *(str(grading.drawn_number(books.SEED, f"numbers {each.name}", 32)) for each in books.STAGES)]
        for shows in rules.SHOWS:
            for (name, student), text in self.exported(shows=shows).items():
                for secret in [*secrets, "made_of", *(each for each in NAMES if each != student)]:
                    self.assertIsNone(re.search(rf"\b{re.escape(secret)}\b", text), (shows, name, student, secret))

    def test_what_a_student_sees(self):
        seen = {
            "full": ("expected -36", "a race", "our answer", "12345", "does not compile", "mistakes"),
            "own": ("a race", "4.5", "12345", "does not compile", "mistakes"),
            "name": ("does not compile", "mistakes"),
            "none": (),
        }
        for shows, words in seen.items():
            for name in formats.FORMATS:
                if name == "sarif":  # has findings alone
                    continue
                whole = "".join(self.exported(shows=shows)[name, student] for student in NAMES)
                for word in seen["full"]:
                    self.assertEqual(word in whole, word in words, (shows, name, word))
            self.assertEqual("a race" in self.exported(shows=shows)["sarif", "ben"], shows in ("full", "own"))

    def test_every_status_has_words(self):
        self.assertEqual(set(feedback.WORDS), set(grading.STATUSES) - {grading.GRADER_ERROR})

    def test_no_text_moves_a_cursor_or_turns_a_line(self):
        for place, text in self.exported().items():
            odd = {each for each in text if unicodedata.category(each) in ("Cc", "Cf") and each != "\n"}
            self.assertEqual(odd, set(), place)

    def test_a_fault_of_the_grader_is_in_no_file(self):
        with mock.patch.dict(os.environ, RUNNER):
            formats.write(self.made(), formats.NAMES, self.folder)
            made = self.made(grades={**books.GRADES, "ben": [StageGrade("stage01", grading.GRADER_ERROR), books.GRADES["ben"][1]]})
            said = formats.write(made, formats.NAMES, self.folder)
        self.assertIn("gradescope: no file for ben, because of the grader's own error", said)
        self.assertEqual([file for file in self.folder.rglob("ben.*")], [])
        lines = list(csv.reader(io.StringIO((self.folder / "grades.csv").read_text(encoding="utf-8"))))
        self.assertEqual(lines[2], ["ben", "", "20", "0", "", "", "grader's own error", "findings"])


class Formats(Exported):
    def test_gradescope(self):
        found = self.of("gradescope", "=cleo,\"x\"")
        self.assertEqual([(each["score"], each["max_score"], each["status"], each["number"]) for each in found["tests"]], [(5.0, 10.0, "failed", "1"), (0.0, 10.0, "failed", "3")])
        self.assertEqual({each["output_format"] for each in [found, *found["tests"]]}, {"text"})
        self.assertEqual({each["visibility"] for each in [found, *found["tests"]]}, {"visible"})
        self.assertNotIn("score", found)  # each test has one

    def test_prairielearn(self):
        found = self.of("prairielearn", "ada")
        self.assertEqual((found["gradable"], found["score"], "format_errors" in found), (True, 1.0, False))
        nothing = self.made(grades={"ada": [books.GRADES["ben"][0], StageGrade("stage03", grading.MISSING)]})
        found = json.loads(formats.FORMATS["prairielearn"].write(nothing, nothing["students"][0]))
        self.assertEqual((found["gradable"], found["score"], len(found["format_errors"])), (False, 0.0, 2))

    def test_exercism(self):
        found = self.of("exercism", "ben")
        self.assertEqual((found["version"], found["status"]), (3, "fail"))
        self.assertEqual([each["status"] for each in found["tests"]], ["error", "fail"])
        self.assertEqual([each["task_id"] for each in found["tests"]], [1, 2])
        self.assertTrue(all(len(each["output"]) <= 500 for each in found["tests"]))
        self.assertEqual(self.of("exercism", "ada")["status"], "pass")

    def test_classroom50(self):
        found = self.of("classroom50", "=cleo,\"x\"", points=10_500)
        self.assertEqual(found["schema"], "classroom50/result/v1")
        self.assertEqual((found["score"], found["max-score"]), (5, 20))  # whole, and none above its most
        self.assertTrue(all(type(each[key]) is int for each in found["tests"] for key in ("score", "max-score")))
        for key in ("datetime", "graded_at"):
            self.assertRegex(found[key], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        made = self.made(roster=self.roster())
        with mock.patch.dict(os.environ, RUNNER):
            self.assertEqual(json.loads(classroom50.text(made, made["students"][0]))["datetime"], "2027-03-02T12:00:00Z")
        with mock.patch.dict(os.environ, clear=True), self.assertRaisesRegex(WorkbookError, "which sets CLASSROOM, "):
            formats.write(made, ["markdown", "classroom50"], self.folder / "elsewhere")
        self.assertFalse((self.folder / "elsewhere").exists())

    def test_junit(self):
        for student in NAMES:
            suites = tree.fromstring(self.exported()["junit", student])
            cases = list(suites.iter("testcase"))
            self.assertEqual([each.get("name") for each in cases], ["stage01: the first idea", "stage03: shared memory"])
            self.assertEqual(suites.find("testsuite").get("name"), student)
            self.assertEqual(int(suites.get("failures")), len(list(suites.iter("failure"))))
            self.assertEqual({each.tag for each in suites.iter()} - {"testsuites", "testsuite", "testcase", "failure", "skipped"}, set())
        self.assertEqual(len(list(tree.fromstring(self.exported()["junit", NAMES[2]]).iter("skipped"))), 1)

    def test_sarif(self):
        run = self.of("sarif", "ben")["runs"][0]
        self.assertEqual([(each["ruleId"], each["locations"][0]["physicalLocation"]["region"]["startLine"]) for each in run["results"]], [("not-compiled", 7), ("race", 6)])
        self.assertEqual([each["id"] for each in run["tool"]["driver"]["rules"]], ["not-compiled", "race"])
        self.assertEqual({each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in run["results"]}, {"stages/stage01/todo.cu", "stages/stage03/todo.cu"})
        rules_of = {name: [each["ruleId"] for each in self.of("sarif", name)["runs"][0]["results"]] for name in ("ada", "dora")}
        self.assertEqual(rules_of, {"ada": [], "dora": ["wrong-result", "time"]})
        self.assertEqual(self.of("sarif", "dora", shows="none")["runs"][0]["results"], [])
        self.assertEqual(len({each["partialFingerprints"]["workbook/v1"] for each in run["results"]}), 2)

    def test_markdown(self):
        for student in NAMES:
            rest, fence = [], ""
            for line in self.exported()["markdown", student].splitlines():
                mark = re.match(r"`{3,}", line)
                if fence:
                    fence = "" if line == fence else fence
                elif mark:
                    fence = mark[0]
                else:
                    rest.append(line)
            self.assertEqual(fence, "")
            self.assertEqual(len([line for line in rest if line.startswith("|")]), 4)
            self.assertNotRegex("\n".join(rest), r"<script|evil|(?<!\\)<")

    def test_a_spreadsheet_sees_no_formula(self):
        self.exported()
        lines = list(csv.reader(io.StringIO((self.folder / "grades.csv").read_text(encoding="utf-8"))))
        self.assertEqual(lines[0], ["student", "points", "of", "late percent", "stage01", "stage03", "stage01 status", "stage03 status"])
        self.assertEqual(lines[3], ["'=cleo,\"x\"", "5", "20", "0", "5", "0", "technique", "missing"])
        self.assertFalse([cell for line in lines for cell in line if cell[:1] in ("=", "+", "-", "@")])

    def test_names_of_files_stay_in_their_folder(self):
        names = ["ada", "../ada", "a/b", "-x", ".x", "a b", "ä", "", "x" * 300, "x" * 301, "con\0"]
        made = [formats.file_name(each) for each in names]
        self.assertEqual(len(set(made)), len(names))
        self.assertFalse([each for each in made if not re.fullmatch(r"[\w%@][\w%@-]*", each, re.ASCII) or len(each) > 200])


class Autograder(support.ScratchCase):
    GIT = {**os.environ, **{f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}}

    def setUp(self):
        super().setUp()
        course = self.folder / "course"
        self.write("course/answers/stage01/solution.cu", "the answer")
        self.write("course/README.md", "a course")
        # Stands in for the command: says what it was asked, and gives a result.
        self.script(
            "course/scripts/workbook",
            'echo "$@" >> "$AUTOGRADER/asked"; for last; do :; done; [ "$last" = gradescope ] || exit 0\n'
            'mkdir -p "$AUTOGRADER/grades/exports/gradescope"\ncat "$2/student/stage01/todo.cu" > "$AUTOGRADER/grades/exports/gradescope/student.json"\nexit "$STATUS"',
        )
        for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "x"]):
            subprocess.run(["git", *words], cwd=course, env=self.GIT, check=True)
        rules_file = self.write("my.toml", 'points = 3\nseed = 12345678\n"seed" = 3\n')
        autograder.write(course, self.folder / "a.zip", rules_file, ["1-3"])
        self.home = self.folder / "autograder"
        with zipfile.ZipFile(self.folder / "a.zip") as archive:
            self.names = archive.namelist()
            archive.extractall(self.home / "source")
        self.modes = {info.filename: info.external_attr >> 16 for info in zipfile.ZipFile(self.folder / "a.zip").infolist()}

    def test_it_has_the_course_without_answers_and_without_the_seed(self):
        self.assertIn("README.md", self.names)
        self.assertFalse([name for name in self.names if name.startswith("answers") and not name.endswith("/")])
        self.assertEqual((self.home / "source/class.toml").read_text(encoding="utf-8"), "points = 3\n")
        for name in ("setup.sh", "run_autograder", "scripts/workbook"):
            self.assertTrue(self.modes[name] & 0o100, name)

    def run_script(self, name, status=0):
        (self.home / "source/scripts/workbook").chmod(0o755)  # Python's zipfile forgets modes
        (self.home / "submission/stage01").mkdir(parents=True, exist_ok=True)
        (self.home / "submission/stage01/todo.cu").write_text('{"tests": []}', encoding="utf-8")
        environment = {**os.environ, "AUTOGRADER": str(self.home), "STATUS": str(status)}
        return subprocess.run(["bash", str(self.home / "source" / name)], env=environment, capture_output=True, text=True).returncode

    def test_its_script_writes_results_and_a_fault_of_the_grader_writes_none(self):
        self.assertEqual(self.run_script("run_autograder"), 0)
        file = self.home / "results/results.json"
        self.assertEqual(json.loads(file.read_text(encoding="utf-8")), {"tests": []})
        asked = (self.home / "asked").read_text(encoding="utf-8")
        self.assertEqual(asked.strip(), f"grade {self.home}/graded --class {self.home}/source/class.toml --stages 1-3 --out {self.home}/grades --jobs 1 --export gradescope")
        file.unlink()
        self.assertEqual(self.run_script("run_autograder", 1), 1)
        self.assertFalse(file.exists())


if __name__ == "__main__":
    unittest.main()
