# SPDX-License-Identifier: MIT
"""What .vscode and .devcontainer say, held against what the commands really print, take and leave."""

import json
import re
import unittest

import support
from workbook_lib.base import screen
from workbook_lib.build.compiler_messages import shortened
from workbook_lib.commands import cli
from workbook_lib.course import stages
from workbook_lib.simulator.locator import Locator


def read(name):
    return json.loads((support.ROOT / name).read_text(encoding="utf-8"))


def tasks():
    return {task["label"]: task for task in read(".vscode/tasks.json")["tasks"]}


def problems(matcher, text):
    """As the editor reads them: file, line, column, severity, message."""
    pattern = matcher["pattern"]
    fields = [pattern[name] for name in ("file", "line", "column", "severity", "message")]
    return [tuple(found[field] for field in fields) for found in re.finditer(pattern["regexp"], text, re.MULTILINE)]


class Editor(support.ScratchCase):
    def test_every_recorded_error_is_a_problem_at_the_student_s_file(self):
        cases = sorted((support.ROOT / "tests/unit/scripts/build/compiler_errors").glob("*.txt"))
        self.assertGreater(len(cases), 20)
        for task in ("workbook: watch", "workbook: run this stage"):
            for case in cases:
                shown = shortened(case.read_text(encoding="utf-8"), self.folder)
                found = problems(tasks()[task]["problemMatcher"], shown)
                self.assertTrue(found, case.name)
                self.assertEqual({(file, severity) for file, _, _, severity, _ in found}, {("stages/stage01/todo.cu", "error")})

    def test_findings_and_what_is_not_solved_yet_are_problems(self):
        said = []
        file = "stages/stage03/todo.cu"
        text = "cudasim: error: a read outside of the array [memory]\n  kernel    k(int*)\n"
        found = {"kind": "memory", "file": file, "line": 7, "text": text}
        Locator(said.append, self.folder).tell([found], f"Stage 3 is not solved yet: {file}:9: write it")
        self.assertEqual(
            problems(tasks()["workbook: watch"]["problemMatcher"], "\n".join(said)),
            [
                ("stages/stage03/todo.cu", "7", "1", "error", "a read outside of the array [memory]"),
                ("stages/stage03/todo.cu", "9", "1", "warning", "not solved yet: write it"),
            ],
        )

    def test_the_background_task_begins_and_ends_with_each_verdict(self):
        background = tasks()["workbook: watch"]["problemMatcher"]["background"]
        self.assertRegex(f"{screen.BEGIN}: Stage 3", background["beginsPattern"])
        self.assertRegex(screen.END, background["endsPattern"])

    def test_the_commands_are_commands(self):
        parser, _ = cli.make_parser()
        for task in tasks().values():
            if task["type"] == "process":
                self.assertEqual(task["command"], "${workspaceFolder}/scripts/workbook")
                parser.parse_args([word.replace("${fileDirnameBasename}", "stage03") for word in task["args"]])
        listed = stages.read_stages(support.ROOT)
        self.assertEqual([stage.number for stage in stages.select(listed, ["stage03"])], [3])
        container = read(".devcontainer/devcontainer.json")
        for command in (container["updateContentCommand"], container["postAttachCommand"]):
            self.assertEqual(command.split()[0], "scripts/workbook")
            parser.parse_args(command.split()[1:])

    def test_the_debugger_starts_what_its_task_builds(self):
        (configuration,) = read(".vscode/launch.json")["configurations"]
        build = tasks()[configuration["preLaunchTask"]]["command"]
        presets = {preset["name"]: preset for preset in read("CMakePresets.json")["configurePresets"]}
        self.assertEqual(presets["debug"]["cacheVariables"]["CMAKE_BUILD_TYPE"], "Debug")
        self.assertIn("--preset debug", build)
        program = configuration["program"].replace("${fileDirnameBasename}", "stage03")
        self.assertTrue(program.endswith(f"build/debug/bin/{listed_program('todo', 3)}"))
        self.assertIn("todo_${fileDirnameBasename}", build)


def listed_program(kind, number):
    return next(stage.program(kind) for stage in stages.read_stages(support.ROOT) if stage.number == number)


if __name__ == "__main__":
    unittest.main()
