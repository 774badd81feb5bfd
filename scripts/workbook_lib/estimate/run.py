# SPDX-License-Identifier: MIT
"""Runs a program once more, without checks, with the counts that an estimate needs. This run is no part of a verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Dict, Sequence

from ..base import errors
from ..machine import toolkit
from ..simulator import programs, simulator
from ..simulator.programs import Ending, Run
from . import estimate
from .estimate import Found, Refusal
from .parameters import Gpu

TIME_LIMIT_S = 600.0


def settings(root: Path, simulator_folder: Path, gpu: Gpu) -> Dict[str, str]:
    """The simulator's settings for the counts. Where there is a ptxas, it says how many registers a thread has; its answers
    are kept beside the simulator."""
    nvcc = toolkit.find_nvcc(root)
    ptxas = nvcc.path.resolve().parent / "ptxas" if nvcc else None
    if ptxas is None or not ptxas.is_file():
        return gpu.environment()
    return {**gpu.environment(), "CUDASIM_PTXAS": str(ptxas), "CUDASIM_REGISTERS": str(simulator_folder / f"registers-{gpu.word}")}


def counted(program: Path, options: Sequence[str], simulator_folder: Path, gpu: Gpu) -> Ending:
    """One run of a stage's program with the counts of an estimate."""
    root = simulator_folder.parents[2]
    environment = {**simulator.environment(simulator_folder, ""), **settings(root, simulator_folder, gpu)}
    return Run([str(program), *options], environment, TIME_LIMIT_S).to_its_end()


def of_program(program: Path, options: Sequence[str], simulator_folder: Path, gpu: Gpu) -> Found:
    """The estimate of this program of a stage, with these options."""
    ending = counted(program, options, simulator_folder, gpu)
    if ending.status != errors.MATCHES:
        return Refusal(f"the program does not end as it should: {ending.error or programs.outcome(ending.status)}")
    return estimate.of_report(ending.counted, gpu)
