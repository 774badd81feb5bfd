# SPDX-License-Identifier: MIT
"""A command is one file: what is dropped into the folder of the commands is typed, listed, completed and suggested."""

import sys
import unittest
from unittest import mock

import support
from workbook_lib import commands

NOTES = """
from workbook_lib.base.options import add_command

ORDER = 45  # behind `list`


def add_to(commands):
    notes = add_command(commands, "take-notes", "  scripts/workbook take-notes 3", call, help="write notes of a stage")
    notes.add_argument("stage")
    notes.add_argument("--shout", action="store_true")


def call(root, arguments, progress):
    print(f"notes of {arguments.stage}" + "!" * arguments.shout)
    return 0
"""


class AddedCommand(support.ScratchCase):
    def setUp(self):
        super().setUp()
        self.write("take_notes_command.py", NOTES)
        patch = mock.patch.object(commands, "__path__", [*commands.__path__, str(self.folder)])
        patch.start()
        self.addCleanup(patch.stop)
        self.addCleanup(sys.modules.pop, "workbook_lib.commands.take_notes_command", None)

    def said(self, *words):
        return support.run_workbook(support.ROOT, *words)

    def test_it_is_a_command_like_the_others(self):
        self.assertEqual(self.said("take-notes", "3", "--shout"), (0, "notes of 3!\n", ""))
        self.assertIn("usage: scripts/workbook take-notes", self.said("take-notes", "--help")[1])
        self.assertEqual(self.said("take-notes", "3", "--", "more")[0], 2)

    def test_the_help_has_it_in_its_place(self):
        lines = [line.split()[0] for line in self.said("--help")[1].splitlines() if line.startswith("    ") and line[4:5].isalpha()]
        self.assertEqual(lines[lines.index("list") + 1 :][:2], ["take-notes", "question"])

    def test_without_a_number_it_comes_last(self):
        self.write("take_notes_command.py", NOTES.replace("ORDER", "ANOTHER"))
        lines = [line.split()[0] for line in self.said("--help")[1].splitlines() if line.startswith("    ") and line[4:5].isalpha()]
        self.assertEqual(lines[-1], "take-notes")

    def test_shells_complete_it(self):
        for shell in ("bash", "zsh", "fish"):
            text = self.said("completion", shell)[1]
            self.assertIn("take-notes", text)
            self.assertIn("shout", text)

    def test_a_word_like_it_is_told_of_it(self):
        self.assertIn("did you mean take-notes?", self.said("take-note")[2])
        self.assertIn("did you mean --shout?", self.said("take-notes", "3", "--shuot")[2])


if __name__ == "__main__":
    unittest.main()
