# SPDX-License-Identifier: MIT
"""A wall that stands, for many runs."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Iterator, List, Optional, Sequence, Tuple

from ...base import scratch
from ...base.errors import WorkbookError
from . import cgroup, levels
from .cgroup import group_for
from .identity import own_uid
from .levels import Parts, Start
from .result import Ended, Result, Status, WallRecord, result_of
from .task import Limits, Task
from .watch import Watch

FOR_ALL, FOR_PASSING, OTHERS_PASS, OTHERS_READ = 0o755, 0o711, 0o001, 0o004
PLACES = os.pathsep.join(("/usr/bin", "/bin", "/usr/local/bin"))  # not PATH: bubblewrap's own rights matter
NO_CGROUP = "no control group: memory and processor time are watched, and not held by the kernel"
WEAKER_B = (
    "names and sizes of files outside can be asked for, but not their content",
    "the size of the scratch folder is watched, and not held by the kernel",
)
SAME_USER = "the grader is not root, so the runs have its own user: Landlock alone keeps them from it"
WEAK = "no wall: what runs can read, change and send all that the grader can"
INSTALL = "Install bubblewrap (Debian and Ubuntu: apt-get install bubblewrap), or run the grader as root in a container"


@dataclass(frozen=True)
class Wall:
    level: str
    folder: Path  # for this wall's runs; other users can pass through, and not look around
    helper: Path
    bubblewrap: str = ""
    parts: Parts = Parts()
    record: WallRecord = field(default_factory=lambda: WallRecord(""))

    def run(self, task: Task) -> Result:
        """Returns when nothing of the task is left running."""
        if os.geteuid() == 0:
            require_reach(task.read)
        with own_uid() as uid, self.place(uid) as place, group_for(task.limits) as group:
            ended, stdout, stderr = self.start(task, uid, place, group)
        return result_of(ended, task.limits, stdout, stderr, self.record)

    @contextlib.contextmanager
    def place(self, uid: Optional[int]) -> Iterator[Path]:
        """The scratch folder outside bubblewrap, which has its own."""
        made = Path(tempfile.mkdtemp(prefix="run-", dir=self.folder))
        try:
            if uid is not None:
                os.chown(made, uid, uid)
            yield made
        finally:
            try:
                made.rmdir()
            except OSError:  # A tree of any depth, and no link is followed.
                subprocess.run(["rm", "-rf", "--one-file-system", "--", str(made)], stderr=subprocess.DEVNULL)

    def start(self, task: Task, uid: Optional[int], place: Path, group: object) -> Tuple[Ended, bytes, bytes]:
        status, told = os.pipe()
        try:
            start = Start(self.helper, uid, group, told, place, self.parts)
            kept = (told, *task.descriptors)
            pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
            with subprocess.Popen(self.command(task, start), env={}, cwd="/", pass_fds=kept, **pipes) as process:
                os.close(told)
                told = -1
                watched = place if self.level != "A" else None
                return Watch(process, status, task.limits, group, watched).run()
        finally:
            os.close(status)
            if told >= 0:
                os.close(told)

    def command(self, task: Task, start: Start) -> List[str]:
        if self.level == "A":
            return levels.command_a(self.bubblewrap, task, start)
        return (levels.command_b if self.level == "B" else levels.command_c)(task, start)

    def problem(self) -> str:
        """Why this wall does not stand on this machine. Empty where it does."""
        result = self.run(Task(("/bin/true",), limits=Limits(wall_s=10)))
        return "" if result.status is Status.OK and result.exit_code == 0 else result.words

    def described(self, uid_is_own: bool, groups: str) -> "Wall":
        weaker = [NO_CGROUP] if groups == "none" else []
        weaker += [*WEAKER_B, *([] if uid_is_own else [SAME_USER])] if self.level == "B" else []
        weaker += [WEAK] if self.level == "C" else []
        return replace(self, record=WallRecord(self.level, groups, weaker))


def require_reach(paths: Sequence[Path]) -> None:
    """Raises where the user of a run can't come to one of these: that would look like a mistake of the student."""
    for path in paths:
        for each in (path, *path.resolve().parents, path.resolve()):
            if not each.exists():
                raise WorkbookError(f"{path}, which students' programs need, is not there")
            if not each.stat().st_mode & (OTHERS_PASS if each.is_dir() else OTHERS_READ):
                raise WorkbookError(
                    f"{path}, which students' programs need, can't be reached by another user: type chmod o+rx {each}, or move "
                    "the course out of this folder"
                )


def standing(folder: Path, helper: Path, wanted: Sequence[str], parts: Parts) -> Wall:
    """The first of these levels that works here."""
    with group_for(Limits()) as group:
        version = group.version
    reasons = []
    for level in wanted:
        bubblewrap = shutil.which("bwrap", path=PLACES) or ""
        if level == "A" and not bubblewrap:
            reasons.append("A: bubblewrap is not installed")
            continue
        wall = Wall(level, folder, helper, bubblewrap, parts).described(os.geteuid() == 0, version)
        problem = wall.problem()
        if not problem:
            return replace(wall, record=replace(wall.record, weaker=[*(f"not level {reason}" for reason in reasons), *wall.record.weaker]))
        reasons.append(f"{level}: {problem}")
    raise WorkbookError(f"No wall around students' programs can be had here ({'; '.join(reasons)}). {INSTALL}")


@contextlib.contextmanager
def open_wall(helper: Path, level: str = "", is_weak: bool = False, parts: Parts = Parts()) -> Iterator[Wall]:
    """A wall of this level, or of the best that works here. C only where the caller asks for it by name. The caller asks
    probe.checked() before it lets a student's program run."""
    if level == "C" and not is_weak:
        raise WorkbookError("level C is no wall: it needs --weak-sandbox")
    wanted = [level] if level else ["C"] if is_weak else ["A", "B"]
    cgroup.sweep()
    with scratch.folder() as folder:
        if os.statvfs(folder).f_flag & os.ST_NOEXEC:
            raise WorkbookError(f"no program can be started in {folder.parent} (it is mounted noexec): set TMPDIR to another folder")
        folder.chmod(FOR_PASSING)
        copy = folder / helper.name  # a user of a run may not reach the checkout
        shutil.copyfile(helper, copy)
        copy.chmod(FOR_ALL)
        yield standing(folder, copy, wanted, parts)
