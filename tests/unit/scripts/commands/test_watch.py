# SPDX-License-Identifier: MIT
"""scripts/workbook watch on a terminal: a pseudo terminal, over stages whose programs are small scripts that answer by
what the student's file says."""

import contextlib
import fcntl
import json
import os
import pty
import re
import select
import shlex
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
import unittest
from pathlib import Path
from unittest import mock

import support
from workbook_lib.base import screen
from workbook_lib.build import build
from workbook_lib.commands import cli, simulate, watch_command
from workbook_lib.course import stages, todo_file
from workbook_lib.course.stages import Stage
from workbook_lib.judge import records
from workbook_lib.machine import device, requirements

STAGES = [Stage("stage01", 1, "first"), Stage("stage02", 2, "second")]
TIMEOUT_S = 60
RACE = {
    "kind": "race",
    "file": "stages/stage01/todo.cu",
    "line": 2,
    "text": "cudasim: error: a race [race]\n  kernel    k()\n  line      stages/stage01/todo.cu:2: a write\n",
}
PROGRAM = """
here={folder}/stages/stage01/todo.cu
grep -q slow $here && {{ echo $$ > {folder}/slow; while :; do sleep 0.1; done; }}
grep -q late $here && sleep 0.3
grep -q unsolved $here && {{ echo 'Stage 1 is not solved yet: stages/stage01/todo.cu:1: write it' >&2; exit 77; }}
grep -q racy $here && printf '%s' '{race}' > "$CUDASIM_REPORT" && exit 1
grep -q wrong $here && exit 1
"""


def compile_by_text(build_folder, targets=()):
    """In place of a compiler."""
    text = (build_folder.machine.root / "stages/stage01/todo.cu").read_text(encoding="utf-8")
    build_folder.progress.show("Building it")
    if "broken" in text:
        raise build.BuildFailure({"todo_stage01": "stages/stage01/todo.cu:1:8: error: expected a \";\""})


def is_running(process):
    with contextlib.suppress(OSError):
        return "Z" not in open(f"/proc/{process}/stat", encoding="utf-8").read().rpartition(")")[2].split()[0]
    return False


class WatchCase(support.CommandCase):
    STAGES = STAGES

    def setUp(self):
        super().setUp()
        lines = [todo_file.SPDX, "// Yours to finish."]
        lines.append(todo_file.HANDED_OUT.format(todo_file.digest(lines)))
        for stage in STAGES:
            self.write(stage.source("todo"), "\n".join(lines) + "\n")
            self.write(f"stages/{stage.name}/README.md", "## One question\n\nWhy is that so?\n")
        hint = {"when": {"ends": "no-match"}, "question": "Which first?", "idea": "A barrier."}
        self.write("stages/hints.json", json.dumps({"wrong": hint}))
        counters = dict.fromkeys(("warp_instructions", "shared_bank_conflicts", "barriers", "atomic_requests"), 64)
        counters.update({f"global_{way}_{unit}": 8 for way in ("load", "store") for unit in ("requests", "sectors")})
        counted = {"kernels": [{"counters": counters}], "launches": [{"grid": [1], "block": [32], "counters": counters}]}
        self.todo = self.folder / "stages/stage01/todo.cu"
        for name in ("todo-stage01", "answer-stage01", "todo-stage02"):
            text = PROGRAM.format(folder=self.folder, race=json.dumps({"findings": [RACE]})) if name == "todo-stage01" else ""
            report = {"matches": True, "cases": 71, "size": 64, "work": {"elements": 64, "unit": "floats"}}
            self.program(f"build/default/bin/{name}", report, counted={"findings": [], **counted}, text=text)
        for target, name, value in (
            (build.Build, "build", compile_by_text),
            (simulate, "main", lambda root, words: print("fake profile of", words[-1]) or 0),
        ):
            patch = mock.patch.object(target, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def edit(self, text):
        """As many editors save."""
        other = self.todo.with_name("new")
        other.write_text(f"// begun\n  {text}\n", encoding="utf-8")
        other.replace(self.todo)


@unittest.skipUnless(support.has_pty(), support.NO_PTY)
class OnATerminal(WatchCase):
    def start(self, *words, **environment):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.environ.update({"TERM": "xterm", "NO_COLOR": "1", **environment})
            os._exit(cli.main(self.folder, ["watch", *words]))
        self.addCleanup(os.close, self.terminal)
        self.addCleanup(self.kill)
        self.read = ""

    def kill(self):
        with contextlib.suppress(OSError):
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)

    def until(self, *patterns):
        """What is shown until each of these has come, in this order."""
        latest, shown = time.monotonic() + TIMEOUT_S, ""
        for pattern in patterns:
            while not (found := re.search(pattern, self.read, re.DOTALL)):
                if time.monotonic() > latest:
                    self.fail(f"{pattern} did not come: {self.read!r}")
                if select.select([self.terminal], [], [], 0.05)[0]:
                    with contextlib.suppress(OSError):
                        self.read += os.read(self.terminal, 1 << 16).decode()
            shown, self.read = shown + self.read[: found.end()], self.read[found.end() :]
        return shown

    def picture(self, *patterns):
        return self.until(re.escape(screen.CLEAR), *patterns, "waiting for a save")

    def press(self, key):
        os.write(self.terminal, key.encode())

    def end(self):
        """The exit status."""
        latest = time.monotonic() + TIMEOUT_S
        while (ended := os.waitpid(self.process, os.WNOHANG)) == (0, 0):
            self.assertLess(time.monotonic(), latest, "it does not end")
            if select.select([self.terminal], [], [], 0.05)[0]:
                with contextlib.suppress(OSError):
                    self.read += os.read(self.terminal, 1 << 16).decode()
        return os.waitstatus_to_exitcode(ended[1])

    def test_from_the_first_picture_to_the_next_stage(self):
        self.edit("unsolved")
        self.start()
        self.picture(r"Stage 1: first \(stages/stage01/README.md\)", r"todo\.cu:1:1: warning: not solved yet", re.escape("q quit"))
        self.edit("broken")
        self.picture(r"stages/stage01/todo\.cu:1:8: error: expected a")
        self.edit("racy")
        self.picture(r"stages/stage01/todo\.cu:2:3: error: a race \[race\]")
        self.edit("wrong")
        shown = self.picture("Look|does not match|NO")
        self.assertNotRegex(shown, "solved|Right in")
        for tier in ("Hint 1 of 2, a question:\\s+Which first", "Hint 2 of 2, the idea:\\s+A barrier"):
            self.press("h")
            self.picture(tier)
        self.edit("right")
        early = self.until(re.escape(screen.CLEAR), r"Right in 71 cases in three orders, all checks\.", "for the figures", "q quit")
        self.assertNotIn("solved", early)
        shown = self.picture(r"Stage 1 is solved\.   \[#\.\]  1 of 2 solved", "n goes on with stage 2", "71 cases in three orders", "warp instructions an element +1.000")
        self.assertIn("now the figures", shown)
        self.press("n")
        self.picture("Stage 2: second")
        self.press("q")
        self.assertEqual(self.end(), 0)

    def test_a_save_in_another_stage_goes_there(self):
        self.start("1")
        self.picture("Stage 1")
        (self.folder / "stages/stage02/todo.cu").write_text("// begun\n", encoding="utf-8")
        self.picture("Stage 2: second", "Stage 2 is solved", "That was the last stage")

    def test_keys_show_more_and_the_next_save_brings_the_verdict_back(self):
        self.edit("right")
        self.start("1")
        self.picture("solved")
        for key, words in (("h", "Why is that so"), ("l", r"\[#\.\]  1 of 2 solved"), ("p", "fake profile of .*/bin/todo-stage01"), ("c", r"\+\+\+ our answer: answers/stage01"), ("r", "71 cases")):
            self.press(key)
            self.picture(words)
        self.press("x")  # says nothing
        self.edit("broken")
        self.picture("error: expected")
        self.press("s")  # counters of the program before, beside the lines of now, would mislead
        self.picture("wastes most", "error: expected")
        self.press("p")
        self.assertNotIn("fake", self.picture("costs", "error: expected"))

    def test_a_key_that_shows_something_waits_for_the_verdict(self):
        self.edit("broken")
        self.start("1")
        self.picture("error: expected")
        self.edit("late wrong")
        self.until("Building it")
        self.press("h")
        self.until("h comes next; ", re.escape(screen.CLEAR), "NO|does not match|wrong", "waiting for a save")
        self.picture("Hint 1 of 2")
        self.edit("late right")
        self.until("Building it")
        self.press("c")
        self.until("c comes next")
        self.edit("broken")  # and is forgotten where a save comes before
        self.picture("error: expected")
        self.press("l")
        self.assertNotIn("our answer", self.picture("The stages"))

    def test_a_save_stops_what_is_under_way_and_the_picture_stays_until_then(self):
        self.edit("broken")
        self.start("1")
        self.picture("error: expected")
        self.edit("slow")
        self.until("Building it")
        slow = self.wait_for_slow()
        self.assertNotIn(screen.CLEAR, self.read)
        self.edit("right")
        self.picture("solved")
        self.assertFalse(is_running(slow))

    def wait_for_slow(self):
        file, latest = self.folder / "slow", time.monotonic() + TIMEOUT_S
        while not (text := file.read_text(encoding="utf-8").strip() if file.exists() else ""):
            self.assertLess(time.monotonic(), latest)
            time.sleep(0.02)
        return int(text)

    def test_ctrl_c_leaves_nothing_half_way(self):
        before = None
        for text, sign in (("slow", "\x03"), ("right", "\x03"), ("slow", "q")):
            (self.folder / "slow").unlink(missing_ok=True)
            self.edit(text)
            self.start("1")
            before = before or termios.tcgetattr(self.terminal)[3] | termios.ICANON | termios.ECHO
            if text == "slow":
                slow = self.wait_for_slow()
            else:
                self.picture("solved")
            self.press(sign)
            self.assertEqual(self.end(), 130 if sign == "\x03" else 0)
            self.assertFalse(is_running(slow))
            self.assertEqual(termios.tcgetattr(self.terminal)[3], before)  # lines are echoed again
        self.assertEqual(list(self.folder.rglob("*.tmp")), [])
        found = json.loads((self.folder / records.FILE).read_text(encoding="utf-8"))
        self.assertTrue(found["todo stage01"]["solved"])

    def test_ctrl_z_gives_the_terminal_back_and_fg_draws_the_picture_again(self):
        self.edit("racy")
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(support.ROOT / "tests/unit/scripts")
            os.environ.update({"TERM": "xterm", "NO_COLOR": "1", "PS1": "prompt> ", "ENV": ""})
            os.execvp("sh", ["sh", "-i"])
        self.addCleanup(os.close, self.terminal)
        self.addCleanup(self.kill)
        self.read = ""
        self.until("prompt>")
        script = f"from commands import test_watch; test_watch.watch_alone({str(self.folder)!r})"
        self.press(f"{shlex.quote(sys.executable)} -B -c {shlex.quote(script)}\n")
        self.picture("a race")
        watching = termios.tcgetattr(self.terminal)[3]
        for _ in range(2):
            self.press("\x1a")
            self.until("prompt>")
            cooked = termios.ICANON | termios.ECHO
            self.assertEqual(termios.tcgetattr(self.terminal)[3] & cooked, cooked)
            self.press("fg\n")
            self.picture("a race")
            self.assertEqual(termios.tcgetattr(self.terminal)[3], watching)
        self.press("l")
        self.picture("The stages")
        self.press("q")
        self.until("prompt>")

    def test_a_watcher_that_is_ended_takes_its_work_along(self):
        self.edit("slow")
        self.start("1")
        slow = self.wait_for_slow()
        os.kill(self.process, signal.SIGTERM)
        self.assertEqual(self.end(), 130)
        self.assertFalse(is_running(slow))

    def test_another_size_of_the_window_draws_the_picture_again(self):
        self.edit("racy")
        self.start("1")
        self.picture("a race.*kernel +k")
        for rows, words in ((8, r"a race.*lines? more"), (40, "a race.*kernel +k")):
            fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 80, 0, 0))
            self.picture(words)

    def test_a_small_terminal_shows_the_first_lines(self):
        self.start("1")
        self.picture("Stage 1")
        with mock.patch.dict(os.environ, {"LINES": "8", "COLUMNS": "40"}), mock.patch("sys.stdout") as said:
            shown = screen.Terminal("keys")
            shown.begin("title")
            shown.show([f"line {number}" for number in range(9)], fits=True)
        text = said.write.call_args[0][0]
        self.assertIn("line 1\n... and 7 lines more", text)


class Elsewhere(WatchCase):
    def test_plain_output_has_a_line_before_and_behind_each_verdict(self):
        self.edit("racy")
        script = f"from commands import test_watch; test_watch.watch_alone({str(self.folder)!r}, '--plain')"
        command = [sys.executable, "-B", "-c", script]
        with subprocess.Popen(command, cwd=support.ROOT / "tests/unit/scripts", stdout=subprocess.PIPE, text=True) as process:
            lines = iter(process.stdout.readline, "")
            first = self.until_end(lines)
            self.assertRegex(first[0], r"^watch: begin: Stage 1: first")
            self.assertIn("stages/stage01/todo.cu:2:3: error: a race [race]\n", first)
            self.edit("right")
            second = self.until_end(lines)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(TIMEOUT_S), 130)
        self.assertEqual(second[1], "watch: verdict: Right in 71 cases in three orders, all checks.\n")
        self.assertIn("Stage 1 is solved", "".join(second))
        self.assertNotIn("\033", "".join(first + second))

    def until_end(self, lines):
        found = []
        for line in lines:
            found.append(line)
            if line == "watch: end\n":
                return found
        self.fail(f"no end: {found}")


def watch_alone(folder, *words):
    """In a process of its own, with the same stand-ins."""
    root = Path(folder)
    cmake = requirements.Tool("CMake", str(root / "tools/cmake"))
    stages.read_stages = lambda root: STAGES
    requirements.set_up = lambda root, say: requirements.Machine(root, {"CMake": cmake}, None)
    build.Build.is_configured = lambda build: True
    build.Build.build = compile_by_text
    device.probe = lambda: (None, "none here")
    sys.exit(cli.main(root, ["watch", *words]))


class Fitting(unittest.TestCase):
    def test_a_picture_has_as_many_lines_as_there_is_room_for_long_ones_too(self):
        lines = ["a" * 80, "\033[31m" + "b" * 81 + "\033[0m", "c", "d"]
        self.assertEqual([screen.rows(line, 80) for line in [*lines, ""]], [1, 2, 1, 1, 1])
        self.assertEqual(screen.fitting(lines, 5, 80), lines)
        self.assertEqual(screen.fitting(lines, 4, 80), [*lines[:2], "... and 2 lines more"])
        self.assertEqual(screen.fitting(lines, 3, 80), [lines[0], "... and 3 lines more"])

    def test_what_where_and_advice_stay_longest(self):
        place = "\033[1mstages/stage28/todo.cu:7:3: error: a race [race]\033[0m"
        advice, again = "    advice    a barrier between the two", "See it again: scripts/workbook run 28 --todo"
        lines = ["stage28:", place, "    kernel    k()", "    thread    1", advice, "Besides 1 leak: todo.cu:9", again]
        self.assertEqual(screen.fitting(lines, 6, 80), [*lines[:3], advice, again, "... and 2 lines more"])
        self.assertEqual(screen.fitting(lines, 4, 80), [place, advice, again, "... and 4 lines more"])
        self.assertEqual(screen.fitting(lines, 3, 80), [place, advice, "... and 5 lines more"])


if __name__ == "__main__":
    unittest.main()
