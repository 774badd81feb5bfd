# SPDX-License-Identifier: MIT
"""OpenBLAS, which computes on the simulator what a program asks of cuBLAS. Nothing else needs it."""

from __future__ import annotations

import ctypes
from pathlib import Path

from ..base.errors import WorkbookError
from . import toolkit
from .toolkit import Say

REQUIREMENTS = Path(__file__).with_name("openblas_requirements.txt")
WHEELS_FILE = "libscipy_openblas.so"
OF_THE_SYSTEM = ("libopenblas.so.0", "libblas.so.3")  # as common/simulator/libraries/blas/cpu_blas.cpp tries them
ADVICE = (
    "cuBLAS is computed by a BLAS of the CPU here, and OpenBLAS could not be installed; with a network, run the command "
    "again, or bring it yourself: apt-get install libopenblas0"
)


def system_has_one() -> bool:
    return any(map(is_loadable, OF_THE_SYSTEM))


def is_loadable(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def provide(root: Path, simulator: Path, say: Say) -> None:
    """Makes sure that a program with the simulator's folder in its search path finds a BLAS."""
    link = simulator / WHEELS_FILE
    if link.exists() or system_has_one():
        return
    own = root / ".toolkit" / "openblas"
    try:
        if not own.exists():
            install(root, own, say)
        link.unlink(missing_ok=True)  # it led to a folder that is gone
        link.symlink_to(next(own.glob(f"*/lib/{WHEELS_FILE}")))
    except (WorkbookError, OSError, StopIteration) as error:
        raise WorkbookError(ADVICE) from error


def install(root: Path, target: Path, say: Say) -> None:
    say("The program calls cuBLAS. Installing OpenBLAS into .toolkit (8 MB, no root needed)")
    with toolkit.staging(root) as folder:
        packages = folder / "packages"
        packages.mkdir()
        toolkit.pip_install(REQUIREMENTS, packages, say)
        toolkit.put_in_place(packages, target, REQUIREMENTS)
