# SPDX-License-Identifier: MIT
"""The report of a program, and what `run --json` prints, keep to one schema. Without the package jsonschema, only their keys
are looked at."""

import json
import re
import unittest

import support
from workbook_lib.course.stages import Stage
from workbook_lib.judge import verdict

try:
    import jsonschema
except ImportError:
    jsonschema = None

FILE = support.ROOT / "common/workbook" / verdict.SCHEMA
SCHEMA = json.loads(FILE.read_text(encoding="utf-8"))
REPORTS = support.ROOT / "tests/unit/workbook/program/report_test.cpp"  # holds the program's reports, which it compares
RACE = {"kind": "race", "severity": "defect", "message": "a race", "advice": "", "file": "a.cu", "line": 3}


def mistakes(value, name):
    """What is wrong with it as the definition `name`."""
    if jsonschema is not None:
        schema = {**SCHEMA["definitions"][name], "definitions": SCHEMA["definitions"]}
        return [error.message for error in jsonschema.Draft7Validator(schema).iter_errors(value)]
    definition = SCHEMA["definitions"][name]
    missing = [key for key in definition["required"] if key not in value]
    closed = definition.get("additionalProperties") is False
    return missing + [key for key in value if closed and key not in definition["properties"]]


class OneSchema(support.CommandCase):
    STAGES = [Stage(f"stage0{number}", number, "an idea") for number in range(1, 8)]

    def test_what_run_prints_keeps_to_it_however_a_program_ends(self):
        right = {"matches": True, "cases": 71, "size": 33, "relative_error": 0.0, "time_ms": 1.5, "time_kind": "simulation"}
        wrong = {**right, "matches": False, "error": "the sum is wrong", "diagnosis": "one is lost", "size": "64x48"}
        counted = {"findings": [], "kernels": [{}]}
        for number, report, status, found, more in (
            (1, right, 0, counted, ""),
            (2, wrong, 1, counted, ""),
            (3, {**right, "cases": None}, 0, {"findings": [RACE], "kernels": [{}]}, ""),
            (4, {"matches": False, "error": "a.cu:3"}, 77, counted, ""),
            (5, None, 3, None, "kill -SEGV $$"),
        ):
            self.program(f"build/default/bin/todo-stage0{number}", report, status, found, text=more)
            self.write(f"stages/stage0{number}/todo.cu", "begun")
        self.broken["todo_stage06"] = "a.cu(3): error"
        (self.folder / "stages/stage07/todo.cu").unlink()
        for words in (["--quick"], []):
            for number in range(1, 7):
                printed = json.loads(self.workbook("run", number, "--todo", "--json", *words)[1])
                self.assertEqual(mistakes(printed, "run"), [], printed)
                for row in printed["stages"]:
                    self.assertEqual(mistakes(row, "row"), [], row)
                    self.assertEqual([mistakes(each, "finding") for each in row["findings"]], [[] for _ in row["findings"]])

    def test_the_reports_that_a_program_writes_keep_to_it(self):
        texts = re.findall(r'R"\((\{.*?\})\)"', REPORTS.read_text(encoding="utf-8"), re.DOTALL)
        reports = [report for report in map(json.loads, texts) if "matches" in report]
        self.assertGreaterEqual(len(reports), 3)
        for report in reports:
            self.assertEqual(mistakes(report, "report"), [], report)

    def test_a_field_that_is_missing_or_unknown_is_a_mistake(self):
        row = verdict.Verdict("stage01", "an idea", 0, "yes").as_json()
        self.assertEqual(mistakes(row, "row"), [])
        self.assertTrue(mistakes({**row, "more": 1}, "row"))
        self.assertTrue(mistakes({name: value for name, value in row.items() if name != "findings"}, "row"))

    def test_the_format_is_that_of_the_schema(self):
        if jsonschema is not None:
            jsonschema.Draft7Validator.check_schema(SCHEMA)
        for name in ("report", "run"):
            properties = SCHEMA["definitions"][name]["properties"]
            self.assertEqual((properties["schema"]["const"], properties["format"]["const"]), (verdict.SCHEMA, verdict.FORMAT))


if __name__ == "__main__":
    unittest.main()
