# SPDX-License-Identifier: MIT
"""Saves as editors make them: each is told once, with the text that it leaves."""

import os
import time
import unittest

import support
from workbook_lib import saves
from workbook_lib.saves import Saves


def write_into(file, text):
    file.write_text(text, encoding="utf-8")


def empty_first(file, text):
    with file.open("w", encoding="utf-8") as opened:
        opened.flush()
        time.sleep(0.1)
        opened.write(text)


def in_pieces(file, text):
    with file.open("w", encoding="utf-8") as opened:
        for letter in text:
            opened.write(letter)
            opened.flush()
            time.sleep(0.01)


def rename_over(file, text):
    other = file.with_name(".todo.cu.swp")
    other.write_text(text, encoding="utf-8")
    other.replace(file)


def rename_away_first(file, text):
    file.replace(file.with_name("todo.cu~"))
    time.sleep(0.1)
    file.write_text(text, encoding="utf-8")
    os.chmod(file, 0o644)
    os.utime(file)


class HowEditorsSave(support.ScratchCase):
    def setUp(self):
        super().setUp()
        self.file, self.other = self.write("a/todo.cu", "old"), self.write("b/todo.cu", "old")
        self.saves = Saves([self.file, self.other])

    def told(self, seconds=0.4):
        """What is told in this time, with the text that is there then."""
        found, latest = [], time.monotonic() + seconds
        while time.monotonic() < latest:
            saved = self.saves.poll()
            if saved:
                found.append((saved, saved.read_text(encoding="utf-8") if saved.exists() else None))
            time.sleep(0.005)
        return found

    def test_each_is_told_once_with_the_whole_text(self):
        for number, save in enumerate((write_into, empty_first, in_pieces, rename_over, rename_away_first)):
            save(self.file, f"text {number}")
            self.assertEqual(self.told(), [(self.file, f"text {number}")], save.__name__)

    def test_while_it_is_being_written_nothing_is_told(self):
        opened = self.file.open("w", encoding="utf-8")
        self.assertEqual(self.told(0.2), [])
        opened.write("now")
        opened.close()
        self.assertEqual(self.told(), [(self.file, "now")])

    def test_the_same_text_is_no_news_and_a_file_that_is_gone_is(self):
        os.utime(self.file, (1, 1))
        rename_over(self.file, "old")
        self.assertEqual(self.told(), [])
        self.file.unlink()
        self.assertEqual(self.told(0.2), [])
        self.assertEqual(self.told(saves.EMPTY_FOR_S + 0.3), [(self.file, None)])
        write_into(self.file, "old")
        self.assertEqual(self.told(), [(self.file, "old")])

    def test_two_files(self):
        write_into(self.file, "one")
        write_into(self.other, "two")
        self.assertEqual(self.told(), [(self.file, "one"), (self.other, "two")])


if __name__ == "__main__":
    unittest.main()
