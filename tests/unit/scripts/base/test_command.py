# SPDX-License-Identifier: MIT
"""How commands end where they cannot go on: one line and no traceback, whatever stands behind their output."""

import io
import os
import pty
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path
from unittest import mock

import support
from workbook_lib.base import colour, command
from workbook_lib.base.progress import Progress
from workbook_lib.build import build, compiler_limits
from workbook_lib.machine import requirements

COMMANDS = (
    ("workbook", "list"),
    ("workbook", "doctor"),
    ("workbook", "--help"),
    ("workbook", "run", "--help"),
    ("simulate", "--help"),
    ("make_todo", "--help"),
    ("make_todo", "--stdout", "1"),
    ("tables", "--help"),
    ("compare_gpu", "--help"),
)


def answer_into(output, script, *words):
    """What the command says when its output, which Python keeps until it is much, goes there."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = [str(support.ROOT / "scripts" / script), *words]
    return subprocess.run(command, env=environment, stdout=output, stderr=subprocess.PIPE, text=True, timeout=60)


class ClosedPipe(unittest.TestCase):
    def test_nobody_who_reads_is_no_traceback(self):
        for script, *words in COMMANDS:
            if "1" in words and not (support.ROOT / "answers").is_dir():
                continue
            read, write = os.pipe()
            os.close(read)
            answer = answer_into(write, script, *words)
            os.close(write)
            self.assertEqual((answer.returncode, answer.stderr), (141, ""), (script, words))

    def test_a_closed_stream_is_no_traceback(self):
        for streams in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
            for script, *words in (COMMANDS[0], COMMANDS[4]):
                command = ["sh", "-c", f'exec "$0" "$@" {streams}', str(support.ROOT / "scripts" / script), *words]
                answer = subprocess.run(command, capture_output=True, text=True, timeout=60)
                self.assertEqual((answer.returncode, answer.stderr), (0, ""), (script, words, streams))

    def test_a_full_disk_is_one_line(self):
        if not Path("/dev/full").exists():
            self.skipTest("no /dev/full here")
        with open("/dev/full", "w", encoding="utf-8") as full:
            answer = answer_into(full, "workbook", "list")
        self.assertEqual((answer.returncode, answer.stderr), (3, "workbook: No space left on device. Make room there, and type the command again\n"))


BUILDING = """\
import sys
from pathlib import Path
sys.path.insert(0, {scripts!r})
from workbook_lib.base import command, progress
from workbook_lib.build import build
from workbook_lib.machine import requirements
folder, said = Path({folder!r}), progress.Progress()
tools = {{"CMake": requirements.Tool("CMake", "cmake")}}
work = build.Build(requirements.Machine(folder, tools, None), "default", said)
sys.exit(command.run("workbook", said, lambda: work.build(["slow"])))
"""


class Limited(support.ScratchCase):
    """A build of a student's file."""

    def message(self, command, LIMIT_S=60, **limits):
        self.write("build/default/build.ninja", f"rule r\n  command = {command}\nbuild todo_stage01: r\n")
        self.write("stages/stage01/todo.cu", "// a source\n")
        tools = {"CMake": requirements.Tool("CMake", "cmake")}
        built = build.Build(requirements.Machine(self.folder, tools, None), "default", Progress(io.StringIO()))
        with mock.patch.multiple(compiler_limits, LIMIT_S=LIMIT_S, **limits), self.assertRaises(build.BuildFailure) as failed:
            built.build(["todo_stage01"])
        return failed.exception.messages["todo_stage01"]

    def test_memory(self):
        allocate = f"{sys.executable} -c 'bytes(2 << 30)' || echo out of memory && false"
        self.assertIn("it may take 1 GB of memory", self.message(allocate, memory_bytes=lambda: 1 << 30))

    def test_time(self):
        self.assertIn("stopped: it may take", self.message("sh -c 'while :; do :; done'", LIMIT_S=1))

    def test_a_compiler_that_waits_for_an_included_pipe(self):
        os.mkfifo(self.folder / "pipe")
        self.assertIn("an included file that is endless", self.message(f"cat {self.folder}/pipe", LIMIT_S=1))

    def test_a_mistake_is_no_limit(self):
        self.assertNotIn("stopped", self.message("echo todo.cu: error && false"))

    def test_the_log_is_not_written_through_a_link(self):
        decoy = self.write("decoy", "of somebody else")
        (self.folder / "build/default").mkdir(parents=True)
        for name in ("workbook-build.log", "begun.stamp"):
            (self.folder / "build/default" / name).symlink_to(decoy)
        self.message("echo todo.cu: error && false")
        self.assertEqual(decoy.read_text(encoding="utf-8"), "of somebody else")


class Terminated(support.ScratchCase):
    def test_a_command_that_is_terminated_leaves_no_compiler(self):
        rule = f"rule r\n  command = echo $$$$ > {self.folder}/compiler; exec sleep 600\nbuild slow: r\n"
        self.write("build/default/build.ninja", rule)
        script = BUILDING.format(scripts=str(support.ROOT / "scripts"), folder=str(self.folder))
        for number in (signal.SIGTERM, signal.SIGHUP):
            process = subprocess.Popen([sys.executable, "-B", "-c", script], stderr=subprocess.PIPE, text=True)
            compiler, latest = self.folder / "compiler", time.monotonic() + 30
            while not (compiler.exists() and compiler.read_text(encoding="utf-8").endswith("\n")):
                self.assertLess(time.monotonic(), latest)
                time.sleep(0.01)
            process.send_signal(number)
            said = process.communicate(timeout=30)[1]
            self.assertEqual((process.returncode, said.splitlines()[-1]), (130, "workbook: stopped"))
            self.assertFalse(Path(f"/proc/{compiler.read_text(encoding='utf-8').strip()}").exists())
            compiler.unlink()


class Endings(unittest.TestCase):
    def test_a_file_that_cannot_be_written_is_named(self):
        messages = io.StringIO()
        with mock.patch.object(command, "discard", lambda stream: None):
            status = command.run("workbook", Progress(messages), lambda: open("/no/such/folder/file", "w"))
        self.assertEqual((status, messages.getvalue()), (3, "workbook: /no/such/folder/file: No such file or directory\n"))


@unittest.skipUnless(support.has_pty(), support.NO_PTY)
class Colour(unittest.TestCase):
    TABLE = "01  yes\n02  NO: 1 race\n"

    def shown(self, environment, is_terminal=True):
        leader, follower = pty.openpty() if is_terminal else os.pipe()
        with os.fdopen(leader, "rb"), os.fdopen(follower, "w", encoding="utf-8") as stream:
            with mock.patch.dict(os.environ, environment, clear=True):
                return colour.paint(self.TABLE, colour.VERDICTS, stream)

    def test_only_where_a_terminal_has_it_and_its_user_wants_it(self):
        self.assertEqual(self.shown({"TERM": "xterm"}), "01  \033[32myes\033[0m\n02  \033[31mNO\033[0m: 1 race\n")
        for environment in ({}, {"TERM": "dumb"}, {"TERM": "xterm", "NO_COLOR": "1"}):
            self.assertEqual(self.shown(environment), self.TABLE, environment)
        self.assertEqual(self.shown({"TERM": "xterm", "NO_COLOR": ""}), self.shown({"TERM": "xterm"}))
        self.assertEqual(self.shown({"TERM": "xterm"}, is_terminal=False), self.TABLE)

    def test_alarms_are_words_before_what_they_say(self):
        stream = mock.Mock(isatty=lambda: True)
        with mock.patch.dict(os.environ, {"TERM": "xterm"}, clear=True):
            text = colour.paint("a.cu(1): error: x\na.cu(2): warning #1-D: y\nno errors here", colour.ALARMS, stream)
        self.assertEqual(
            text, "a.cu(1): \033[31merror\033[0m: x\na.cu(2): \033[33mwarning\033[0m #1-D: y\nno errors here"
        )


if __name__ == "__main__":
    unittest.main()
