# SPDX-License-Identifier: MIT
"""Runs a program once more, without checks, with the counts that an estimate needs. This run is no part of a verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Sequence

from ..base import errors
from ..simulator import programs, simulator
from ..simulator.programs import Ending, Run
from . import estimate
from .estimate import Found, Refusal
from .parameters import Gpu

TIME_LIMIT_S = 600.0


def counted(program: Path, options: Sequence[str], simulator_folder: Path, gpu: Gpu) -> Ending:
    """One run with the counts of an estimate."""
    environment = {**simulator.environment(simulator_folder, ""), **gpu.environment()}
    return Run([str(program), *options], environment, TIME_LIMIT_S).to_its_end()


def of_program(program: Path, options: Sequence[str], simulator_folder: Path, gpu: Gpu) -> Found:
    """The estimate of this program of a stage, with these options."""
    ending = counted(program, options, simulator_folder, gpu)
    if ending.status != errors.MATCHES:
        return Refusal(f"the program does not end as it should: {ending.error or programs.outcome(ending.status)}")
    return estimate.of_report(ending.counted, gpu)
