# SPDX-License-Identifier: MIT
"""The version of the workbook. Only CMakeLists.txt holds it; scripts/workbook --version, a report and --json repeat it."""

from __future__ import annotations

import argparse
import re
from pathlib import Path


def read() -> str:
    """The version in project(... VERSION 1.2.3 ...) of the course that this file belongs to."""
    project = next(folder for folder in Path(__file__).resolve().parents if (folder / "CMakeLists.txt").is_file())
    return re.search(r"^project\(\w+ VERSION ([\d.]+)", (project / "CMakeLists.txt").read_text(encoding="utf-8"), re.MULTILINE)[1]


def add_to(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--version", action="version", version=f"{parser.prog} {read()}", help="show the version of the workbook")
