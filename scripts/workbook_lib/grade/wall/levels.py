# SPDX-License-Identifier: MIT
"""The command lines of the three walls. All begin with the supervisor (workbook-wall --supervise), as the user of the run.

A: it starts bubblewrap, that makes namespaces and starts workbook-wall once more, with the limits and the filter.
B: it restricts itself by Landlock, limits and filter, and becomes the command. Containers allow this.
C: it has limits alone, and is no wall."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import List, Optional, Sequence

from .cgroup import Group
from .task import Limits, Task

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/alternatives")
DEVICES = ("/dev/null", "/dev/urandom")
SCRATCH = "/tmp"  # in A
HELPER = "/workbook-wall"  # in A
ADDRESS_SPACE = 4  # times the memory: threads reserve more than they use
LEAST_ADDRESS_SPACE_BYTES = 4 << 30
LEVELS = ("A", "B", "C")


@dataclass(frozen=True)
class Parts:
    """What a wall is made of. A test leaves out one of them, and sees the probe fail."""

    filter: bool = True
    landlock: bool = True
    limits: bool = True


@dataclass(frozen=True)
class Start:
    """What one run is started with."""

    helper: Path
    uid: Optional[int]
    group: Group
    status: int
    scratch: Path  # in B and C
    parts: Parts = Parts()


def threads_of(uid: int) -> int:
    """How many threads this user has now: the kernel's limit counts them all."""
    total = 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.stat(f"/proc/{name}").st_uid == uid:
                total += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            continue
    return total


def limit_words(limits: Limits, others: int = 0) -> List[str]:
    """`others`: processes of the same user that are no part of the run."""
    space = max(ADDRESS_SPACE * limits.memory_bytes, LEAST_ADDRESS_SPACE_BYTES)
    values = {"cpu": int(limits.cpu_s) + 1, "memory": space, "processes": limits.processes + others, "files": limits.files}
    values.update({"file_bytes": limits.file_bytes, "core": 0, "locked": 0, "queues": 0})
    return [word for name, value in values.items() for word in ("--limit", f"{name}={value}")]


def environment_words(task: Task, scratch: str) -> List[str]:
    found = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": scratch, "TMPDIR": scratch, **task.environment}
    return [word for name, value in found.items() for word in ("--env", f"{name}={value}")]


def paths(flag: str, names: Sequence[object]) -> List[str]:
    return [word for name in names for word in (flag, str(name))]


def supervisor_words(start: Start) -> List[str]:
    words = [str(start.helper), "--supervise", "--status", str(start.status), *paths("--cgroup", start.group.paths)]
    return words + (["--uid", str(start.uid)] if start.uid is not None else [])


def confining_words(task: Task, start: Start, scratch: str, others: int = 0) -> List[str]:
    words = ["--folder", str(task.folder or scratch), *environment_words(task, scratch)]
    words += paths("--keep", task.descriptors)
    return words + (limit_words(task.limits, others) if start.parts.limits else [])


def is_of_system(path: Path) -> bool:
    """Whether it is in sight in any case. A link there can't be mounted once more."""
    return any(Path(name) in (path, *path.parents) for name in SYSTEM)


def mounts(task: Task, start: Start) -> List[str]:
    """bubblewrap's words for what is in sight. The root itself and /tmp are in memory; only /tmp can be written."""
    words: List[str] = []
    for name in SYSTEM:
        if os.path.islink(name) and not os.readlink(name).startswith("/"):
            words += ["--symlink", os.readlink(name), name]
        elif os.path.exists(name):
            words += ["--ro-bind", name, name]
    for device in DEVICES:
        words += ["--dev-bind", device, device]
    words += ["--size", str(task.limits.scratch_bytes), "--tmpfs", SCRATCH]
    for path in (each for each in task.read if not is_of_system(each)):
        words += ["--ro-bind", str(path), str(path)]
    return [*words, "--ro-bind", str(start.helper), HELPER, "--remount-ro", "/"]


def command_a(bubblewrap: str, task: Task, start: Start) -> List[str]:
    words = [*supervisor_words(start), "--keep-all", "--", bubblewrap, "--unshare-all", "--unshare-user", "--die-with-parent"]
    words += ["--new-session", *mounts(task, start), "--", HELPER, "--status", str(start.status)]
    words += [*confining_words(task, start, SCRATCH), *(["--filter"] if start.parts.filter else [])]
    return [*words, "--", *task.command]


def command_b(task: Task, start: Start) -> List[str]:
    others = threads_of(os.geteuid()) if start.uid is None else 0
    words = [*supervisor_words(start), *confining_words(task, start, str(start.scratch), others)]
    if start.parts.landlock:
        seen = [name for name in SYSTEM if os.path.exists(name)]
        words += ["--landlock", *paths("--read", [*seen, "/dev/urandom", *task.read])]
        words += [*paths("--write", ["/dev/null", start.scratch]), *([] if task.removes_files else ["--keep-files"])]
    return [*words, *(["--filter"] if start.parts.filter else []), "--", *task.command]


def command_c(task: Task, start: Start) -> List[str]:
    others = threads_of(os.geteuid()) if start.uid is None else 0
    return [*supervisor_words(start), *confining_words(task, start, str(start.scratch), others), "--", *task.command]
