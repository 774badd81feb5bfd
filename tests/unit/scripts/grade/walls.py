# SPDX-License-Identifier: MIT
"""What the tests of the wall share: the programs that ctest names, and the levels that this machine has."""

import functools
import os
import unittest
from pathlib import Path

import support
from workbook_lib.base.errors import WorkbookError
from workbook_lib.grade.wall.levels import Parts
from workbook_lib.grade.wall.task import MB, Limits, Task
from workbook_lib.grade.wall.wall import open_wall

BUILD = Path(os.environ.get("WORKBOOK_BUILD") or support.ROOT / "build" / "default")
PROGRAMS = Path(os.environ.get("WORKBOOK_WALL") or BUILD / "bin")
HELPER, TRIES = PROGRAMS / "workbook-wall", PROGRAMS / "workbook-wall-tries"
LIMITS = Limits(cpu_s=20, wall_s=60, memory_bytes=128 * MB, processes=32, scratch_bytes=8 * MB, output_bytes=64 << 10)


@functools.lru_cache(maxsize=None)
def levels():
    found = []
    for level in "AB":
        try:
            with open_wall(HELPER, level):
                found.append(level)
        except WorkbookError:
            continue
    return found


class WallCase(support.ScratchCase):
    """A test at each level of this machine."""

    @classmethod
    def setUpClass(cls):
        if not HELPER.exists():
            raise unittest.SkipTest(f"{HELPER} is not built")
        if not levels():
            raise unittest.SkipTest(support.NO_WALL)

    def setUp(self):
        super().setUp()
        self.folder.chmod(0o755)  # the user of a run passes through

    def each_wall(self, parts=Parts()):
        for level in levels():
            with open_wall(HELPER, level, parts=parts) as wall:
                yield wall

    def shell(self, wall, text, limits=LIMITS, **settings):
        return wall.run(Task(("/bin/sh", "-c", text), limits=limits, **settings))
