# SPDX-License-Identifier: MIT
"""The command scripts/workbook doctor: what is installed, what is missing, and how to install it."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..base.errors import WorkbookError
from ..base.options import add_command, add_device
from ..base.progress import Progress
from ..machine import requirements, toolkit

ORDER = 130


def add_to(commands: "argparse._SubParsersAction") -> None:
    words = "show what is installed, which device is used and why, and what to do"
    doctor = add_command(commands, "doctor", "  scripts/workbook doctor", doctor_command, help=words)
    doctor.description += " Changes nothing. Exit status 0: nothing is missing."
    add_device(doctor)


def doctor_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    found = requirements.inspect(root)
    rows = [
        (not tool.problem, tool.name, tool.problem or f"{tool.version} {tool.path}".strip())
        for tool in found.tools.values()
    ]
    if found.nvcc is not None:
        rows.append((True, "CUDA toolkit", f"{found.nvcc.version} {found.nvcc.path} ({found.nvcc.origin})"))
    else:
        rows.append((False, "CUDA toolkit", "no nvcc of CUDA 12 or 13"))
    for name, problem in (("path", requirements.path_problem(root)), ("glibc", toolkit.glibc_problem(found.nvcc))):
        if problem:
            rows.append((False, name, problem))
    try:
        choice = requirements.choose_device(arguments.device, found.nvcc)
        rows.append((True, "device", f"{choice.device}: {choice.reason}"))
    except WorkbookError as error:
        rows.append((False, "device", str(error)))
    width = max(len(name) for _, name, _ in rows)
    for fine, name, text in rows:
        print(f"{'ok' if fine else '--'}  {name:{width}}  {text}")
    healthy = all(fine for fine, _, _ in rows)
    print("\nNothing is missing." if healthy else f"\n{requirements.advice(found)}".rstrip())
    return 0 if healthy else 1
