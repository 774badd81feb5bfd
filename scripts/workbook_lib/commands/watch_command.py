# SPDX-License-Identifier: MIT
"""The command scripts/workbook watch: the verdict at every save, and other commands by keys. Another command makes each
picture, in a process of its own (forked_job.py). So a save or a key can stop it at any moment.

The process is a copy of this one (fork), which costs 0.01 s a save. A new start would cost 0.15 s for Python and its
imports. Both can be stopped in the same way."""

from __future__ import annotations

import argparse
import os
import select
import shutil
import sys
import time
from pathlib import Path
from typing import Dict, List, Optional, Sequence

from ..access.line_profile import OFF_A_TERMINAL
from ..base import colour, command
from ..base.errors import WorkbookError
from ..base.forked_job import VERDICT, Job, StatusLines
from ..base.options import add_command, add_device
from ..base.progress import Progress
from ..base.screen import Plain, Terminal
from ..build import inputs
from ..build.file_watcher import Saves
from ..course import stages
from ..course.stages import Stage
from ..judge import progress_file, records
from ..machine import plotting, requirements
from ..measure import step_gain
from . import list_command
from . import run_command  # noqa: F401  loaded before a save: each calls it in a process of its own

ORDER = 10
EXAMPLES = """\
  scripts/workbook watch           where you are
  scripts/workbook watch 3         stage 3
  scripts/workbook watch --plain   without keys, each verdict below the last: for editors, and to keep in a file

  keys: h hint (more each time), w why (how a wrong element came about),
        s show (the access of a warp that wastes most),
        p profile (your lines with their counters), c compare with our answer,
        l list, n next stage, r run again, q quit"""
SHOWING = "hwspcl"  # keys about the running verdict wait for it
KEYS = "h hint  w why  s show  p profile  c compare  l list  n next  r run  q quit"


def add_to(commands: "argparse._SubParsersAction") -> None:
    words = "tell at every save of your file whether it is right"
    watch = add_command(commands, "watch", EXAMPLES, watch_command, help=words)
    watch.add_argument("stage", nargs="?", metavar="N", help="the stage (default: where you are)")
    watch.add_argument("--plain", action="store_true", help="no keys and no redrawing")
    add_device(watch)


def watch_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    listed = stages.read_stages(root)
    if arguments.stage:
        chosen = stages.select(listed, [arguments.stage])
        if len(chosen) > 1:
            raise WorkbookError("give one stage: watch goes on with the next one by itself")
        stage = chosen[0]
    else:
        stage = progress_file.current(records.read(root, progress.say), root, listed) or listed[-1]
    requirements.set_up(root, progress.say)  # in this process, which can ask for a password
    is_terminal = colour.is_screen(sys.stdout) and not arguments.plain
    with Terminal(KEYS) if is_terminal else Plain() as screen:
        watch = Watch(root, listed, stage, arguments, screen)
        try:
            watch.run()
        finally:
            watch.stop()
    return 0


class Watch:
    def __init__(self, root: Path, listed: Sequence[Stage], stage: Stage, arguments: argparse.Namespace, screen):
        self.root, self.listed, self.stage, self.screen = root, listed, stage, screen
        self.arguments = arguments
        self.files: Dict[Path, Stage] = {root / each.source("todo"): each for each in listed}
        plotting.use_own(root)  # watchdog may be installed now
        self.saves = Saves(list(self.files), self.headers)
        self.job: Optional[Job] = None
        self.is_verdict = False
        self.next_key = ""  # pressed during a verdict
        self.is_done = False

    def run(self) -> None:
        self.judge()
        while not self.is_done:
            keys = self.screen.input()
            sources = [source for source in (keys, self.job, self.saves.news) if source is not None]
            ready = select.select(sources, [], [], self.saves.pause_s)[0]
            if self.job in ready:
                self.read()
            if keys in ready:
                self.press(os.read(keys, 1).decode(errors="replace"))
            saved = self.saves.poll()
            if saved is not None:
                self.stage = self.files.get(saved, self.stage)  # a save in another stage means that the student has gone on
                self.judge()

    def judge(self) -> None:
        words = ["run", str(self.stage.number), "--todo", "--brief", "--device", self.arguments.device]
        lesson = f"stages/{self.stage.name}/README.md"
        title = f"Stage {self.stage.number}: {self.stage.title} ({lesson}), {time.strftime('%H:%M:%S')}"
        self.start(words, title, is_verdict=True)

    def start(self, words: List[str], title: str, is_verdict: bool = False) -> None:
        """Stops the running job. The last picture stays until the next one is complete."""
        self.stop()
        self.is_verdict, self.next_key = is_verdict, ""
        self.screen.begin(title)
        self.screen.status(f"stage {self.stage.number} ...")
        self.job = Job(lambda: self.work(words))

    def work(self, words: List[str]) -> int:
        """The work in the process of the job."""
        os.environ["COLUMNS"] = str(shutil.get_terminal_size((OFF_A_TERMINAL, 24)).columns)
        colour.is_wanted = self.screen.is_coloured(sys.stdout)
        progress = StatusLines()
        return command.run("workbook", progress, lambda: self.arguments.run_words(words, progress))

    def read(self) -> None:
        try:
            for line in self.job.read():
                kind, text = line[:1], line[1:]
                if kind == VERDICT:
                    self.screen.verdict(text)
                else:
                    self.status(text)
        except EOFError:
            job, self.job = self.job, None
            lines = self.verdict(job.lines) if self.is_verdict else job.lines
            self.screen.show(lines, fits=self.is_verdict)
            self.screen.status(f"waiting for a save of {self.stage.source('todo')}")
            if self.next_key:
                self.press(self.next_key)

    def status(self, text: str) -> None:
        """The present step."""
        self.screen.status(f"{self.next_key} comes next; {text}" if self.next_key else text)

    def headers(self) -> List[Path]:
        """The student's own headers that this stage's file includes, or may include later."""
        built = inputs.read(self.root / progress_file.BUILD_FOLDER, self.stage)
        return inputs.students_own(self.root, self.stage, built.files if built else [])

    def verdict(self, lines: List[str]) -> List[str]:
        """The verdict, with the step gain where the stage is solved."""
        kept = records.read(self.root)
        if not progress_file.is_solved(kept, self.root, self.stage):
            return lines
        gain = step_gain.text(self.root, self.listed, self.stage, kept)
        then = self.next_stage()
        offer = f"n goes on with stage {then.number}, {then.title}" if then else "That was the last stage"
        head = f"Stage {self.stage.number} is solved.   {list_command.progress_bar(self.root, self.listed, kept, self.stage)}"
        return [head, f"{offer}; c shows your file beside our answer", "", *lines, "", *gain]

    def next_stage(self) -> Optional[Stage]:
        index = self.listed.index(self.stage) + 1
        return self.listed[index] if index < len(self.listed) else None

    def press(self, key: str) -> None:
        number = str(self.stage.number)
        if self.is_verdict and self.job is not None and key in SHOWING:
            self.next_key = key
            self.status("first the verdict")
        elif key == "q":
            self.is_done = True
        elif key == "n":
            self.stage = self.next_stage() or self.stage
            self.judge()
        elif key in "r\n":
            self.judge()
        elif key == "h":
            self.start(["hint", number], "A hint")
        elif key == "w":
            self.start(["run", number, "--todo", "--brief", "--why"], "How what is wrong came about")
        elif key == "s":
            self.start(["show", number], "What a warp does to memory at the line that wastes most")
        elif key == "p":
            self.start(["profile", number], "Your lines with what each of them costs")
        elif key == "c":
            self.start(["compare", number], "Your file (-) beside our answer (+)")
        elif key == "l":
            self.start(["list"], "The stages")

    def stop(self) -> None:
        if self.job is not None:
            self.job.stop()
            self.job = None
