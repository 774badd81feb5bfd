#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plays what a learner types, and looks for what is shown. answers/stageNN/learner.json has a stage's steps. They are played
on a pseudo terminal of 80 x 24, in a copy of the course.

    {"stage": 4, "steps": [{"write": [["stride > 0", "stride > 1"]], "sees": ["every 2nd element"]}, {"press": "h", ...}]}

`write`: todo.cu is saved as our answer with these replacements; each must find its text once. `press`: a key. `sees`:
expressions that the next picture must show, in this order. With `--build` the copy has this build folder, too, and need not
compile the simulator and the libraries. Usage: learn.py [--keep FOLDER] [--build FOLDER] FILE..."""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path
from typing import Dict, List, Sequence

ROOT = Path(__file__).resolve().parents[3]
CLEAR = "\033[2J\033[H"  # scripts/workbook_lib/base/screen.py: a picture begins
END = "waiting for a save"
TIMEOUT_S = 400.0  # the first picture builds the simulator
ESCAPE = re.compile(r"\033\[[0-9;?]*[A-Za-z]")


def made_here(folder: str, names: Sequence[str]) -> List[str]:
    """The names in a folder that are no part of the course."""
    made = ("build", ".toolkit", ".venv", ".workbook") if Path(folder) == ROOT else ()
    return [name for name in names if name in (*made, "__pycache__")]


def copy_course(to: Path) -> None:
    """What git knows, as it is now; without git all but what is built."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z"]
    listed = subprocess.run(command, capture_output=True, text=True, check=False) if shutil.which("git") else None
    if listed is None or listed.returncode != 0:
        shutil.copytree(ROOT, to, ignore=made_here, dirs_exist_ok=True)
        return
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)


def copy_build(build: Path, to: Path) -> None:
    """What is compiled, without programs and tests, which run and change meanwhile."""

    def left_out(folder: str, names: Sequence[str]) -> List[str]:
        return [name for name in names if Path(folder) == build and name in ("bin", "tests", "Testing")]

    shutil.copytree(build, to / build.relative_to(ROOT), ignore=left_out, symlinks=True, dirs_exist_ok=True)


def in_the_courses_place(copy: Path) -> List[str]:
    """The command before another one that sees the copy where the course is. So the paths in a copied build folder are
    right. Empty where bubblewrap is missing, or does not start."""
    command = ["bwrap", "--die-with-parent", "--dev-bind", "/", "/", "--bind", str(copy), str(ROOT)]
    for name in (".toolkit", ".venv"):
        command += ["--ro-bind-try", str(ROOT / name), str(ROOT / name)]
    if shutil.which("bwrap") is None or subprocess.run([*command, "true"], capture_output=True).returncode != 0:
        return []
    return command


SKIPPED = 77  # as in CMakeLists.txt
DEVICES = {"default": "auto", "simulator": "simulator"}  # by build folder


class Learner:
    """At `scripts/workbook watch N`."""

    def __init__(self, root: Path, stage: int, before: Sequence[str], device: str):
        self.folder, self.stage, self.read = root, stage, ""
        script = (ROOT if before else root) / "scripts/workbook"
        command = [*before, sys.executable, str(script), "watch", str(stage), "--device", device]
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.environ.update({"TERM": "xterm", "NO_COLOR": "1", "COLUMNS": "80", "LINES": "24"})
            os.environ.pop("WORKBOOK_BUILD_LOCK", None)  # of the command that runs this test, in its own build folder
            os.execvp(command[0], command)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))

    def picture(self) -> str:
        """The next one, whole."""
        latest = time.monotonic() + TIMEOUT_S
        while not (CLEAR in self.read and END in self.read.partition(CLEAR)[2]):
            if time.monotonic() > latest:
                raise TimeoutError(f"no picture came; the terminal shows: {ESCAPE.sub('', self.read)[-2000:]}")
            if select.select([self.terminal], [], [], 0.1)[0]:
                with contextlib.suppress(OSError):
                    self.read += os.read(self.terminal, 1 << 16).decode(errors="replace")
        shown, _, self.read = self.read.partition(CLEAR)[2].partition(END)
        # A right result stood there alone before its figures came.
        return ESCAPE.sub("", shown.rpartition(CLEAR)[2]).replace("\r", "")

    def press(self, key: str) -> None:
        os.write(self.terminal, key.encode())

    def write(self, replacements: Sequence[Sequence[str]]) -> None:
        text = (self.folder / f"answers/stage{self.stage:02}/solution.cu").read_text(encoding="utf-8")
        for old, new in replacements:
            if text.count(old) != 1:
                raise ValueError(f"stage {self.stage}: the answer has `{old}` {text.count(old)} times, and not once")
            text = text.replace(old, new)
        file = self.folder / f"stages/stage{self.stage:02}/todo.cu"
        file.with_suffix(".new").write_text(text, encoding="utf-8")
        file.with_suffix(".new").replace(file)  # as many editors save

    def leave(self) -> None:
        with contextlib.suppress(OSError):
            self.press("q")
            for _ in range(100):
                if os.waitpid(self.process, os.WNOHANG) != (0, 0):
                    break
                time.sleep(0.1)
            else:
                os.kill(self.process, signal.SIGKILL)
                os.waitpid(self.process, 0)
        os.close(self.terminal)


def missing(shown: str, patterns: Sequence[str]) -> str:
    """The first of the expressions that is not shown behind those before it. A line of the terminal ends anywhere."""
    rest = " ".join(shown.split())
    for pattern in patterns:
        found = re.search(pattern, rest)
        if not found:
            return pattern
        rest = rest[found.end() :]
    return ""


def play(root: Path, script: Dict, before: Sequence[str], device: str) -> List[str]:
    """What was not as it should be."""
    learner = Learner(root, script["stage"], before, device)
    try:
        learner.picture()
        for number, step in enumerate(script["steps"], start=1):
            if "write" in step:
                learner.write(step["write"])
            else:
                learner.press(step["press"])
            shown = learner.picture()
            absent = missing(shown, step["sees"])
            if absent:
                return [f"step {number}: `{absent}` is not shown:\n{shown}"]
    finally:
        learner.leave()
    return []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, help="the copy is made here, and stays")
    parser.add_argument("--build", type=lambda text: Path(text).resolve(), metavar="FOLDER", help="the course's build folder: build/default or build/simulator")
    parser.add_argument("scripts", nargs="+", type=Path)
    arguments = parser.parse_args()
    try:
        for end in os.openpty():
            os.close(end)
    except OSError:
        print("needs a terminal, and there is no pty here")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="workbook-") as scratch:
        root = arguments.keep or Path(scratch)
        copy_course(root)
        before, device = [], "simulator"
        if arguments.build and arguments.build.name in DEVICES:
            before = in_the_courses_place(root)
        if before:
            copy_build(arguments.build, root)
            device = DEVICES[arguments.build.name]
        failed = False
        for file in arguments.scripts:
            problems = play(root, json.loads(file.read_text(encoding="utf-8")), before, device)
            print("\n".join([f"{file.parent.name}: {'as it should be' if not problems else 'FAILED'}", *problems]), flush=True)
            failed = failed or bool(problems)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
