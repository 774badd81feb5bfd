#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves that the students' files are what scripts/make_todo makes of the answers. Skipped (exit 77) where a student has
begun to edit one: in a working copy they are meant to differ."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from todo_is_unsolved import SKIPPED, is_edited

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    edited = [str(todo.relative_to(ROOT)) for todo in sorted(ROOT.glob("stages/stage*/todo.cu")) if is_edited(todo)]
    if edited:
        print(f"skipped: differs from the committed file, so somebody is working on it: {', '.join(edited)}")
        return SKIPPED
    return subprocess.run([sys.executable, "-B", str(ROOT / "scripts" / "make_todo"), "--check"], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
