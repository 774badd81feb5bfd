# SPDX-License-Identifier: MIT
"""The parameters of a GPU, from a file of the folder parameters or one that scripts/workbook calibrate has written. A name
that a file lacks has the H200's value; rates of the whole L2 are then in proportion to the multiprocessors."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Mapping

from ..base.errors import WorkbookError
from ..base.options import nearest
from ..simulator import vocabulary

FOLDER = Path(__file__).resolve().parent / "parameters"
REFERENCE = "h200"  # its file has all names
FORMAT = 1
OF_THE_WHOLE_L2 = ("dram_random_sectors", "l2_read_sectors", "l2_scattered_sectors", "l2_write_sectors", "l2_partial_sectors", "l2_random_sectors", "atomic_sectors")
# The keys of CUDASIM_TIMING, and the parameters that they have. A key without its parameter has the simulator's default.
LATENCIES = {
    **{key: f"latency_{key}" for key in ("l1", "l2", "dram", "shared", "arithmetic", "predicate", "wide_integer", "fp64")},
    **{key: f"latency_{key}" for key in ("conversion", "special", "division", "shuffle", "tensor", "barrier")},
    "wide_division": "latency_division_wide",
    "shared_atomic": "latency_atomic_shared",
}


@dataclass(frozen=True)
class Error:
    """What nine of ten kernels with this limit took, over their estimates."""

    low: float
    high: float
    kernels: int  # that were measured with this limit


@dataclass(frozen=True)
class Gpu:
    name: str  # of the file
    word: str  # for CUDASIM_GPU
    device: str
    is_measured: bool  # its parameters, and so the time, can be given in microseconds
    values: Mapping[str, float]
    tensor: Mapping[str, float]  # mma instructions a cycle and multiprocessor, by shape
    errors: Mapping[str, Error]  # by limit

    def __getitem__(self, name: str) -> float:
        return self.values[name]

    @property
    def named(self) -> str:
        """With its article: an NVIDIA H200, a Tesla T4."""
        return f"{'an' if self.device[:1] in 'AEIOUN' else 'a'} {self.device}"

    def environment(self) -> Dict[str, str]:
        """The settings under which the simulator counts what an estimate needs."""
        latencies = ",".join(f"{word}={self.values[name]:g}" for word, name in LATENCIES.items() if name in self.values)
        return {"CUDASIM_GPU": self.word, "CUDASIM_TIMING": latencies}


def known() -> List[str]:
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def argument(text: str) -> str:
    """The value of --estimate, checked: a GPU's name or a file."""
    if text not in known() and not text.endswith(".json"):
        words = f"give {', '.join(known())}, or a file that scripts/workbook calibrate wrote{nearest(text, known())}"
        raise argparse.ArgumentTypeError(f"there are no parameters of '{text}': {words}")
    return text


def read(name: str) -> Gpu:
    """The GPU of this name, or of this file."""
    path = FOLDER / f"{name}.json"
    if not path.is_file():
        path = Path(name)
    reference = load(FOLDER / f"{REFERENCE}.json")
    return of_json(load(path), reference, path)


def load(path: Path) -> Dict[str, object]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise WorkbookError(f"{path} cannot be read as JSON: {error}") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise WorkbookError(f"{path} has not the format {FORMAT} of a GPU's parameters; scripts/workbook calibrate writes one")
    return found


def of_json(found: Mapping[str, object], reference: Mapping[str, object], path: Path) -> Gpu:
    standard = numbers(reference["parameters"])
    own = numbers(found["parameters"])
    unknown = sorted(set(own) - set(standard))
    if unknown:
        raise WorkbookError(f"{path}: '{unknown[0]}' is no parameter{nearest(unknown[0], list(standard))}")
    share = own.get("multiprocessors", standard["multiprocessors"]) / standard["multiprocessors"]
    scaled = {name: value * (share if name in OF_THE_WHOLE_L2 else 1) for name, value in standard.items()}
    if found["gpu"] not in vocabulary.GPUS:
        raise WorkbookError(f"{path}: '{found['gpu']}' is no GPU of the simulator{nearest(found['gpu'], list(vocabulary.GPUS))}")
    errors = found.get("errors") or reference["errors"]
    return Gpu(
        str(found["name"]),
        str(found["gpu"]),
        str(found["device"]),
        found["status"] == "measured",
        {**scaled, **own},
        {**numbers(reference["tensor"]), **numbers(found.get("tensor", {}))},
        {limit: Error(row["low"], row["high"], row["kernels"]) for limit, row in errors.items()},
    )


def numbers(rows: Mapping[str, Mapping[str, object]]) -> Dict[str, float]:
    return {name: float(row["value"]) for name, row in rows.items()}
