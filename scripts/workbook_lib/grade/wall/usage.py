# SPDX-License-Identifier: MIT
"""What a run uses where no control group counts it: the CPU time and memory of a process with all below it, and the size
of a folder."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Dict, List, Tuple

TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
ENTRY_BYTES = 4096  # a file without content takes room, too
PARENT, USER_TICKS, CHILDREN_SYSTEM_TICKS, PAGES = 1, 11, 14, 21  # fields of /proc/N/stat behind the name


def read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:  # it has ended
        return ""


def tree(top: int) -> Dict[int, List[str]]:
    """The fields of a process and of all that descend from it."""
    fields, children = {}, {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        stat = read(f"/proc/{name}/stat").rpartition(")")[2].split()
        if stat:
            fields[int(name)] = stat
            children.setdefault(int(stat[PARENT]), []).append(int(name))
    found, waiting = {}, [top]
    while waiting:
        each = waiting.pop()
        if each in fields:
            found[each] = fields[each]
            waiting += children.get(each, [])
    return found


def own_bytes(process: int) -> int:
    """The memory that is there because of this process."""
    status = read(f"/proc/{process}/status")
    return sum(int(kilobytes) << 10 for kilobytes in re.findall(r"^Rss(?:Anon|Shmem):\s*(\d+) kB$", status, re.MULTILINE))


def of_tree(top: int, memory_limit: int) -> Tuple[float, int]:
    """Seconds and bytes. Bytes are exact where they matter: pages that processes share count once for each, until their
    sum is beyond the limit."""
    found = tree(top)
    ticks = sum(int(each) for stat in found.values() for each in stat[USER_TICKS : CHILDREN_SYSTEM_TICKS + 1])
    in_memory = sum(int(stat[PAGES]) * PAGE_BYTES for stat in found.values())
    if in_memory > memory_limit:
        in_memory = sum(map(own_bytes, found))
    return ticks / TICKS_A_SECOND, in_memory


def of_folder(folder: Path, most_bytes: int) -> int:
    """The bytes of all files in it. Stops when they are more than this."""
    total = 0
    for place, folders, files in os.walk(folder):
        total += ENTRY_BYTES * (len(folders) + len(files))
        for name in files:
            try:
                total += os.lstat(os.path.join(place, name)).st_blocks * 512
            except OSError:
                continue
        if total > most_bytes:
            break
    return total
