# SPDX-License-Identifier: MIT
"""The parameters of this GPU for an estimate of time: runs of the program calibrate (common/calibrate), and the file that is
made of them. Its form is that of estimate/parameters/h200.json."""

from __future__ import annotations

import json
import re
import statistics
import subprocess
from pathlib import Path
from typing import Dict, List, Mapping, Sequence

from ..base.errors import WorkbookError
from ..simulator import vocabulary

FORMAT = 1
RUNS = 3  # times of host calls differ by a third from run to run
MAKERS = ("nvidia", "geforce", "tesla", "quadro")

Run = Mapping[str, Mapping[str, object]]  # what the program prints


def measure(program: Path) -> List[Run]:
    """Runs the program several times."""
    runs: List[Run] = []
    for _ in range(RUNS):
        done = subprocess.run([str(program)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            raise WorkbookError(done.stderr.strip() or f"{program} ended with {done.returncode}", 1)
        runs.append(json.loads(done.stdout))
    return runs


def short_name(device: str) -> str:
    """The simulator's word of a GPU, or letters and digits of its name: "NVIDIA GeForce RTX 4070" is rtx4070."""
    for word, product in vocabulary.PRODUCTS.items():
        if product == device:
            return word
    words = [word for word in re.findall(r"[a-z0-9]+", device.lower()) if word not in MAKERS]
    return "".join(words) or "gpu"


def simulated_as(device: str, capability: int) -> str:
    """The word of CUDASIM_GPU for this GPU: itself, or the first with its compute capability, or the next lower one."""
    name = short_name(device)
    if name in vocabulary.GPUS:
        return name
    numbers = vocabulary.GPUS.values()
    best = max((number for number in numbers if number <= capability), default=min(numbers))
    return next(word for word, number in vocabulary.GPUS.items() if number == best)


def numbers(rows: Sequence[Mapping[str, Mapping[str, object]]], date: str) -> Dict[str, object]:
    """The median of each number. The schema allows none that is 0: nothing was measured then."""
    found: Dict[str, object] = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        same = [row[name] for row in rows if name in row]
        value = rounded(statistics.median(float(number["value"]) for number in same))
        if value > 0:
            found[name] = {"value": value, "source": f"scripts/workbook calibrate, {date}: {same[0]['source']}"}
    return found


def rounded(value: float) -> float:
    """To four digits, as a whole number where it is one."""
    value = float(f"{value:.4g}")
    return int(value) if value == int(value) else value


def tables(runs: Sequence[Run]) -> Dict[str, object]:
    """The median of each row, by growing size."""
    found: Dict[str, object] = {}
    for name in dict.fromkeys(name for run in runs for name in run["tables"]):
        rows = [run["tables"][name] for run in runs if name in run["tables"]]
        keys = sorted({key for row in rows for key in row}, key=float)
        found[name] = {key: rounded(statistics.median(row[key] for row in rows if key in row)) for key in keys}
    return found


def parameters(runs: Sequence[Run], capability: int, date: str) -> Dict[str, object]:
    """The content of a parameter file. A name that is not in it has the H200's value."""
    device = str(runs[0]["device"])
    return {
        "format": FORMAT,
        "name": short_name(device),
        "gpu": simulated_as(device, capability),
        "device": device,
        "status": "measured",
        "date": date,
        "parameters": numbers([run["parameters"] for run in runs], date),
        "tensor": numbers([run["tensor"] for run in runs], date),
        "tables": tables(runs),
    }


def text(content: Mapping[str, object]) -> str:
    """JSON with one line a number or table, so that a diff is readable."""
    lines: List[str] = []
    for key, value in content.items():
        if isinstance(value, dict):
            rows = ",\n".join(f"    {json.dumps(name)}: {json.dumps(row)}" for name, row in value.items())
            lines.append(f"  {json.dumps(key)}: {{\n{rows}\n  }}")
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"
