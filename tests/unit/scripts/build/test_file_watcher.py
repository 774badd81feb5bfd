# SPDX-License-Identifier: MIT
"""Saves as editors make them: each is told once, with the text that it leaves."""

import os
import select
import sys
import threading
import time
import types
import unittest
from unittest import mock

import support
from workbook_lib.build import file_watcher
from workbook_lib.build.file_watcher import Saves


def write_into(file, text):
    file.write_text(text, encoding="utf-8")


def empty_first(file, text):
    with file.open("w", encoding="utf-8") as opened:
        opened.flush()
        time.sleep(0.1)
        opened.write(text)


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
    """With watchdog, where it is installed."""

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
        for number, save in enumerate((write_into, empty_first, rename_over, rename_away_first)):
            editor = threading.Thread(target=save, args=(self.file, f"text {number}"))
            editor.start()
            self.assertEqual(self.told(0.6), [(self.file, f"text {number}")], save.__name__)
            editor.join()

    def test_what_is_written_in_pieces_is_told_when_it_has_come_to_rest(self):
        told = []
        with self.file.open("w", encoding="utf-8") as opened:
            for moment, piece in ((0.0, "o"), (0.03, "n"), (0.06, "e"), (0.09, ""), (0.11, ""), (0.2, "")):
                opened.write(piece)
                opened.flush()
                with mock.patch.object(file_watcher.time, "monotonic", lambda moment=moment: moment):
                    told.append(bool(self.saves.poll()))
        self.assertEqual(told, [False, False, False, False, True, False])

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
        self.assertEqual(self.told(file_watcher.EMPTY_FOR_S + 0.3), [(self.file, None)])
        write_into(self.file, "old")
        self.assertEqual(self.told(), [(self.file, "old")])

    def test_two_files(self):
        write_into(self.file, "one")
        write_into(self.other, "two")
        self.assertEqual(self.told(), [(self.file, "one"), (self.other, "two")])


class WithoutWatchdog(HowEditorsSave):
    def setUp(self):
        not_there = mock.patch.dict(sys.modules, {"watchdog.observers": None})
        not_there.start()
        self.addCleanup(not_there.stop)
        super().setUp()
        self.assertEqual((self.saves.news, self.saves.pause_s), (None, file_watcher.LOOK_EVERY_S))


class Observer:
    """As watchdog's; what it tells is the test's to say."""

    def schedule(self, handler, folder):
        self.handler = handler

    def start(self):
        pass


class WhatTheObserverTells(support.ScratchCase):
    def setUp(self):
        super().setUp()
        self.file, self.observer = self.write("a/todo.cu", "old"), Observer()
        there = {"watchdog": types.ModuleType("watchdog"), "watchdog.observers": mock.Mock(Observer=lambda: self.observer)}
        with mock.patch.dict(sys.modules, there):
            self.saves = Saves([self.file])

    def at(self, moment):
        with mock.patch.object(file_watcher.time, "monotonic", lambda: self.saves.told_at + moment):
            return self.saves.poll()

    def tell(self, kind, file, place="src_path"):
        self.observer.handler.dispatch(types.SimpleNamespace(event_type=kind, **{place: str(file)}))

    def test_what_its_writer_has_closed_is_whole(self):
        for number, (kind, place) in enumerate((("closed", "src_path"), ("moved", "dest_path"))):
            write_into(self.file, f"new {number}")
            self.tell(kind, self.file.with_name("other"), place)
            self.assertIsNone(self.at(0.0))
            self.tell(kind, self.file, place)
            self.assertEqual(self.at(0.0), self.file)
        write_into(self.file, "")
        self.tell("closed", self.file)
        self.assertIsNone(self.at(0.0))  # about to be written

    def test_it_wakes_who_waits(self):
        self.assertEqual(select.select([self.saves.news], [], [], 0)[0], [])
        self.assertEqual(self.saves.pause_s, file_watcher.LOOK_ALL_THE_SAME_S)
        for _ in range(100_000):  # more than a pipe holds
            self.tell("modified", self.file)
        self.assertEqual(select.select([self.saves.news], [], [], 0)[0], [self.saves.news])
        write_into(self.file, "new")
        self.assertIsNone(self.at(5.0))
        self.assertEqual(self.saves.pause_s, file_watcher.AT_REST_S / 2)
        self.assertEqual(self.at(file_watcher.AT_REST_S + 0.01), self.file)
        self.assertEqual(select.select([self.saves.news], [], [], 0)[0], [])

    def test_where_it_is_silent_the_files_are_looked_at(self):
        write_into(self.file, "new")
        self.assertIsNone(self.at(5.0))
        self.assertEqual(self.at(5.1), self.file)
        self.assertEqual((self.saves.news, self.saves.pause_s), (None, file_watcher.LOOK_EVERY_S))


if __name__ == "__main__":
    unittest.main()
