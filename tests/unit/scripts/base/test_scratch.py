# SPDX-License-Identifier: MIT
"""Folders for a moment: gone afterwards, and removed later where their process was killed."""

import os
import signal
import subprocess
import sys
import time
import unittest
from unittest import mock

import support
from workbook_lib.base import scratch

HOLDING = """
import os, signal, sys
sys.path.insert(0, {scripts!r})
from workbook_lib.base import scratch
with scratch.folder() as folder:
    print(folder, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


class Scratch(support.ScratchCase):
    def setUp(self):
        super().setUp()
        self.addCleanup(scratch.sweep_once.cache_clear)
        patch = mock.patch.object(scratch.tempfile, "tempdir", str(self.folder))
        patch.start()
        self.addCleanup(patch.stop)
        scratch.sweep_once.cache_clear()

    def left(self):
        return sorted(file.name for file in self.folder.iterdir())

    def test_it_is_gone_afterwards(self):
        with scratch.folder() as folder:
            self.assertEqual(self.left(), [folder.name])
        self.assertEqual(self.left(), [])

    def test_what_a_killed_process_left_is_removed_when_it_is_old(self):
        script = HOLDING.format(scripts=str(support.ROOT / "scripts"))
        environment = {**os.environ, "TMPDIR": str(self.folder)}
        killed = subprocess.run([sys.executable, "-B", "-c", script], env=environment, capture_output=True, text=True)
        self.assertEqual(killed.returncode, -signal.SIGKILL)
        (left,) = self.left()
        self.assertTrue(killed.stdout.strip().endswith(left))
        living = self.folder / f"workbook-{os.getppid()}-x"
        living.mkdir()
        with scratch.folder():
            self.assertIn(left, self.left(), "it may be of another container")
        scratch.sweep_once.cache_clear()
        old = time.time() - scratch.OLD_S - 1
        for file in (self.folder / left, living):
            os.utime(file, (old, old))
        with scratch.folder():
            pass
        self.assertEqual(self.left(), [living.name])


if __name__ == "__main__":
    unittest.main()
