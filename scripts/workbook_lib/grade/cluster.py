# SPDX-License-Identifier: MIT
"""The work on a cluster: a job array of Slurm over --task. Results are files, so no accounting is needed, and a task that the
cluster starts again does no harm. Cluster, course and submissions share a file system."""

from __future__ import annotations

import math
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Sequence

from ..base.errors import WorkbookError
from ..base.files import write_own

SUBMISSIONS_A_TASK = 10  # starting a task costs about a second
MOST_TASKS = 1000  # MaxArraySize is 1001 where nobody has changed it
STAGE_S, LEAST_MINUTES = 30, 10
FOLDER, FILE = "slurm", "grade.sbatch"
SCRIPT = """\
#!/bin/bash
# Written by scripts/workbook grade --slurm. Partition, account and time can be chosen by SBATCH_PARTITION, SBATCH_ACCOUNT and
# SBATCH_TIMELIMIT in the environment of sbatch.
#SBATCH --job-name=workbook-grade
#SBATCH --array=1-{tasks}
#SBATCH --output={log}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=4G
#SBATCH --time={minutes}
exec {command} --task "$SLURM_ARRAY_TASK_ID/{tasks}"
"""


@dataclass(frozen=True)
class Job:
    root: Path
    out: Path
    students: int
    stages: int

    @property
    def tasks(self) -> int:
        return min(MOST_TASKS, max(1, math.ceil(self.students / SUBMISSIONS_A_TASK)))

    @property
    def minutes(self) -> int:
        return LEAST_MINUTES + math.ceil(self.students / self.tasks) * self.stages * STAGE_S // 60

    @property
    def folder(self) -> Path:
        return self.out.resolve() / FOLDER


def script(job: Job, words: Sequence[str]) -> str:
    log = str(job.folder / "%a.txt")
    if any(each in log for each in "\n\"'\\ "):
        raise WorkbookError(f"{job.folder}: Slurm takes no such folder: choose one without blanks and quotes")
    command = shlex.join([str(job.root / "scripts" / "workbook"), "grade", *words, "--built", "--jobs", "1"])
    return SCRIPT.format(tasks=job.tasks, log=log, minutes=job.minutes, command=command)


def submit(job: Job, words: Sequence[str]) -> str:
    """Returns what to do next. The course is built, and the seed is in its file."""
    job.folder.mkdir(parents=True, exist_ok=True)  # without it a task fails, and nobody hears why
    file = job.folder / FILE
    write_own(file, script(job, words))
    collect = shlex.join(["scripts/workbook", "grade", *words, "--collect"])
    after = f"When all tasks have ended, type: {collect}\nParts without a result are named there. For them, submit {file} again"
    try:
        done = subprocess.run(["sbatch", "--parsable", str(file)], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise WorkbookError(f"sbatch is not installed here. Submit {file} where it is. {after}") from error
    if done.returncode:
        raise WorkbookError(f"sbatch refuses {file}: {done.stderr.strip()}", 1)
    return f"Job {done.stdout.strip().split(';')[0]}: {job.tasks} tasks. What they say is in {job.folder}\n{after}"
