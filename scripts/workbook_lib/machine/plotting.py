# SPDX-License-Identifier: MIT
"""Installs the packages for pictures and the report page, if they are requested and missing: matplotlib and Jinja2,
pinned, into .toolkit. Nothing else in the workbook needs them. They come with watchdog, which `watch` uses if it is
there."""

from __future__ import annotations

import importlib
import importlib.util
import shutil
import sys
from pathlib import Path
from typing import Sequence

from ..base.errors import WorkbookError
from . import toolkit
from .toolkit import Say

REQUIREMENTS = Path(__file__).with_name("plotting_requirements.txt")
PLOT, PAGE, TEXT = ("matplotlib",), ("matplotlib", "jinja2"), ("jinja2",)
ADVICE = (
    "{} could not be installed; with a network, run the command again, or bring them yourself: "
    "apt-get install python3-matplotlib python3-jinja2, or pip install matplotlib jinja2"
)


def make_importable(root: Path, say: Say, modules: Sequence[str] = PLOT) -> None:
    """Makes `modules` importable: PLOT, PAGE or TEXT. An installed package comes first."""
    if are_importable(modules):
        return
    own = use_own(root)
    if are_importable(modules):
        return
    try:
        install(root, own, say)
    except WorkbookError as error:
        raise WorkbookError(ADVICE.format(" and ".join(modules))) from error
    if not are_importable(modules):
        raise WorkbookError(ADVICE.format(" and ".join(modules)))


def use_own(root: Path) -> Path:
    """Adds the folder of the workbook's own packages to the search path."""
    own = root / ".toolkit" / f"pictures-{sys.version_info[0]}.{sys.version_info[1]}"
    sys.path.append(str(own))
    return own


def are_importable(modules: Sequence[str]) -> bool:
    importlib.invalidate_caches()
    return all(importlib.util.find_spec(module) is not None for module in modules)


def install(root: Path, target: Path, say: Say) -> None:
    say("Installing matplotlib and Jinja2 into .toolkit (no root needed)")
    with toolkit.staging(root) as folder:
        packages = folder / "packages"
        packages.mkdir()
        toolkit.pip_install(REQUIREMENTS, packages, say)
        shutil.rmtree(packages / "venv", ignore_errors=True)
        toolkit.put_in_place(packages, target, REQUIREMENTS)
