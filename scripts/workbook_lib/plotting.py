# SPDX-License-Identifier: MIT
"""Brings matplotlib where a picture is asked for and it is missing: the distribution's package, or a copy in .toolkit.
Nothing else in the workbook needs it."""

from __future__ import annotations

import importlib
import importlib.util
import shutil
import sys
from pathlib import Path

from . import machine, toolkit
from .errors import WorkbookError
from .toolkit import Say

ADVICE = "a picture needs matplotlib: apt-get install python3-matplotlib, or pip install matplotlib"


def make_importable(root: Path, say: Say) -> None:
    if is_importable():
        return
    own = root / ".toolkit" / f"matplotlib-{sys.version_info[0]}.{sys.version_info[1]}"
    sys.path.append(str(own))
    if is_importable():
        return
    try:
        # The distribution's package is for the distribution's Python.
        if sys.prefix == "/usr" and machine.apt_prefix() is not None:
            machine.install_packages(["matplotlib"], say)
        else:
            install(root, own, say)
    except WorkbookError as error:
        raise WorkbookError(ADVICE) from error
    if not is_importable():
        raise WorkbookError(ADVICE)


def is_importable() -> bool:
    importlib.invalidate_caches()
    return importlib.util.find_spec("matplotlib") is not None


def install(root: Path, target: Path, say: Say) -> None:
    say("Installing matplotlib into .toolkit (no root needed)")
    with toolkit.staging(root) as folder:
        packages = folder / "packages"
        packages.mkdir()
        toolkit.pip_install(toolkit.MATPLOTLIB_WHEELS, packages, say, options=())
        shutil.rmtree(packages / "venv", ignore_errors=True)
        toolkit.put_in_place(packages, target, toolkit.MATPLOTLIB_WHEELS)
