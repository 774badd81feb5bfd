# SPDX-License-Identifier: MIT
"""Control groups: the kernel's own limits of memory and processes for a whole run, where the grader may make groups."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, Iterator, List

from .task import Limits

CONTROLLERS = ("memory", "pids", "cpuacct")  # version 1; version 2 counts the CPU time in each group
PREFIX = "workbook-wall"  # then the grader's process and a number
REMOVAL_S = 2.0
numbers = itertools.count()


def text(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii")
    except OSError:
        return ""


def field(file: Path, name: str = "") -> int:
    """The number in a file, or that behind a name in it. 0 where there is none."""
    found = re.search(rf"^{name}\s*(\d+)$", text(file), re.MULTILINE)
    return int(found[1]) if found else 0


@dataclass(frozen=True)
class Group:
    """The folders of one run: one of version 2, or one for each controller of version 1."""

    version: str  # v1, v2 or none
    folders: Dict[str, Path]  # by controller

    @property
    def paths(self) -> List[str]:
        return [str(folder) for folder in dict.fromkeys(self.folders.values())]

    def limit(self, limits: Limits) -> None:
        """Raises OSError where the kernel refuses."""
        memory, pids = self.folders["memory"], self.folders["pids"]
        if self.version == "v2":
            (memory / "memory.max").write_text(str(limits.memory_bytes))
            settings = {"memory.swap.max": "0", "memory.oom.group": "1"}
        else:
            (memory / "memory.limit_in_bytes").write_text(str(limits.memory_bytes))
            settings = {"memory.memsw.limit_in_bytes": str(limits.memory_bytes)}
        (pids / "pids.max").write_text(str(limits.processes))
        for name, value in settings.items():
            if (memory / name).exists():  # without swap there is none
                (memory / name).write_text(value)

    def cpu_s(self) -> float:
        if self.version == "v2":
            return field(self.folders["memory"] / "cpu.stat", "usage_usec") / 1e6
        return field(self.folders["cpuacct"] / "cpuacct.usage") / 1e9 if self.folders else 0.0

    def peak_bytes(self) -> int:
        name = "memory.peak" if self.version == "v2" else "memory.max_usage_in_bytes"
        return field(self.folders["memory"] / name) if self.folders else 0

    def is_out_of_memory(self) -> bool:
        name = "memory.events" if self.version == "v2" else "memory.oom_control"
        return bool(self.folders) and field(self.folders["memory"] / name, "oom_kill") > 0

    def remove(self) -> None:
        latest = time.monotonic() + REMOVAL_S
        for path in self.paths:
            while time.monotonic() < latest:
                try:
                    os.rmdir(path)
                    break
                except FileNotFoundError:
                    break
                except OSError:  # the kernel has not yet taken leave of the last process
                    time.sleep(0.005)


NONE = Group("none", {})


def own_folders(mounts: str, own: str) -> Iterator["tuple[str, List[Path]]"]:
    """From mountinfo and /proc/self/cgroup: by controller ("" for version 2), the folders of this process's group and of
    those above it."""
    groups = {name: path for _, names, path in re.findall(r"^(\d+):([^:]*):(.*)$", own, re.MULTILINE) for name in names.split(",")}
    for point, kind, options in re.findall(r"^\S+ \S+ \S+ \S+ (\S+) .* - (cgroup2?) \S+ (\S+)$", mounts, re.MULTILINE):
        for name in [""] if kind == "cgroup2" else set(options.split(",")) & set(CONTROLLERS):
            inside = Path(point, groups.get(name, "/").lstrip("/"))
            yield name, [inside, *(each for each in inside.parents if Path(point) in (each, *each.parents))]


def places() -> Dict[str, Path]:
    """Where a group can be made, by controller. Empty where it can't."""
    found: Dict[str, Path] = {}
    for name, folders in own_folders(text(Path("/proc/self/mountinfo")), text(Path("/proc/self/cgroup"))):
        for folder in filter(lambda each: os.access(each, os.W_OK), folders):
            if name:
                found.setdefault(name, folder)
            elif {"memory", "pids"} <= set(text(folder / "cgroup.subtree_control").split()):
                return {"": folder}
    return found if set(CONTROLLERS) <= set(found) else {}


def sweep() -> None:
    """Removes the groups of graders that were killed. The kernel keeps those in which something runs."""
    for place in places().values():
        for left in place.glob(f"{PREFIX}-*-*"):
            if not Path("/proc", left.name.split("-")[-2]).exists():
                with contextlib.suppress(OSError):
                    left.rmdir()


def make(limits: Limits) -> Group:
    name = f"{PREFIX}-{os.getpid()}-{next(numbers)}"
    found = {controller: place / name for controller, place in places().items()}
    if not found:
        return NONE
    group = Group("v2", {"memory": found[""], "pids": found[""]}) if "" in found else Group("v1", found)
    try:
        for path in group.paths:
            os.mkdir(path)
        group.limit(limits)
    except OSError:
        group.remove()
        return NONE
    return group


@contextlib.contextmanager
def group_for(limits: Limits) -> Iterator[Group]:
    group = make(limits)
    try:
        yield group
    finally:
        group.remove()
