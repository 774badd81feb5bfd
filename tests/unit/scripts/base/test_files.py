# SPDX-License-Identifier: MIT
"""What is written is whole or not there; a device, a pipe and a link stay what they are."""

import os
import resource
import shutil
import subprocess
import sys
import threading
import unittest

import support
from workbook_lib.base import files

LIMIT_BYTES = 4096  # in place of a disk that is full: a write stops there


def limit_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT_BYTES, LIMIT_BYTES))


class Whole(support.ScratchCase):
    def test_a_pipe_is_written_into_and_stays(self):
        pipe, read = self.folder / "pipe", []
        os.mkfifo(pipe)
        reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")), daemon=True)
        reader.start()
        files.write_atomically(pipe, "all of it")
        reader.join(10)
        self.assertEqual((read, pipe.is_fifo()), (["all of it"], True))

    def test_a_link_is_followed_and_stays(self):
        target, link = self.write("target", "old"), self.folder / "link"
        link.symlink_to(target)
        files.write_atomically(link, "new")
        self.assertEqual((target.read_text(encoding="utf-8"), link.is_symlink()), ("new", True))

    def test_nothing_is_left_of_what_fails(self):
        source = self.write("source", "x" * 3 * LIMIT_BYTES)
        self.write("old", "old")
        for words in ("copy_whole(Path('source'), Path('kept-1'))", f"write_atomically(Path('old'), 'x' * {3 * LIMIT_BYTES})"):
            script = f"from pathlib import Path; from workbook_lib.base.files import *; {words}"
            environment = {**os.environ, "PYTHONPATH": str(support.ROOT / "scripts")}
            command = [sys.executable, "-B", "-c", script]
            ended = subprocess.run(command, cwd=self.folder, env=environment, preexec_fn=limit_files, stderr=subprocess.PIPE)
            self.assertIn(b"File too large", ended.stderr)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["old", "source"])
        self.assertEqual((self.folder / "old").read_text(encoding="utf-8"), "old")
        self.assertEqual(source.stat().st_size, 3 * LIMIT_BYTES)

    def test_a_command_starts_again_when_there_is_room_again(self):
        for name in ("scripts/workbook_lib", "stages", "common/simulator/base"):
            shutil.copytree(support.ROOT / name, self.folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.md"))
        for name in ("scripts/workbook", "CMakeLists.txt"):
            shutil.copy(support.ROOT / name, self.folder / name)
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        command = [sys.executable, str(self.folder / "scripts/workbook"), "list"]
        # What Python itself compiles before the script begins goes elsewhere: it must not spoil this machine's own modules.
        elsewhere = {**environment, "PYTHONPYCACHEPREFIX": str(self.folder / "elsewhere")}
        subprocess.run(command, env=elsewhere, preexec_fn=limit_files, **settings)
        kept = [path.name.partition(".")[0] for path in (self.folder / "build/pycache").rglob("*.pyc")]
        self.assertNotIn("run_command", kept)  # which has more bytes than there was room for
        ended = subprocess.run(command, env=environment, **settings)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""), ended.stderr)


if __name__ == "__main__":
    unittest.main()
