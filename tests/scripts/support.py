# SPDX-License-Identifier: MIT
"""What the tests of scripts/workbook_lib share: import path, a scratch folder, and scripts that stand in for
programs."""

import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))


class ScratchCase(unittest.TestCase):
    """A test with a folder of its own in self.folder."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def script(self, path, text):
        """Writes an executable shell script below the folder."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("#!/bin/sh\n" + text + "\n", encoding="utf-8")
        file.chmod(0o755)
        return file

    def nvcc(self, folder, version="13.0.88"):
        """A program that answers like the nvcc of this version."""
        release = ".".join(version.split(".")[:2])
        return self.script(f"{folder}/nvcc", f"echo 'Cuda compilation tools, release {release}, V{version}'")
