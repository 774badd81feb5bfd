#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records the simulator's counts of programs whose time on an H200 is known. tests/estimate/evaluate.py makes estimates of
them without running a kernel. Run it again after a change of what the simulator counts.

Usage: count.py stages BUILD OUT [STAGE ...]   the answers, at the sizes of scripts/measured/bench_h200.json
       count.py ordinary BUILD OUT             the ordinary kernels, at the sizes of scripts/measured/times_h200.json"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Dict, Iterator, List, Tuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from workbook_lib.base import errors, scratch, sizes  # noqa: E402
from workbook_lib.estimate import counts, parameters, run  # noqa: E402
from workbook_lib.measure import bench_data  # noqa: E402
from workbook_lib.simulator import simulator  # noqa: E402

LEAST_US = 4.0
MOST_WORK = 2**24  # elements, or 2^30 products, which the simulator computes in seconds
MOST_PRODUCTS = 2**30 + 2**24


def is_small(size: object, problem: str) -> bool:
    extents = sizes.extents(size)
    products = 1
    for extent in extents:
        products *= extent
    if problem.startswith("matmul") or problem == "gemm":
        return products <= MOST_PRODUCTS
    return max(extents) <= MOST_WORK and (len(extents) == 1 or "search" in problem or products <= MOST_WORK)


def stages(wanted: List[str]) -> Iterator[Tuple[str, List[str], float]]:
    """Each row of the benchmark: a name, the command's words, and the measured time."""
    bench = bench_data.read(ROOT / "scripts/measured/bench_h200.json")
    for program in bench.programs:
        name = f"stage{program.stage:02}"
        if program.kind != "answer" or (wanted and name not in wanted):
            continue
        for size, point in program.points.items():
            if point.time_us >= LEAST_US and is_small(size, program.problem):
                options = [*program.case.split(), "--size", sizes.text(size).replace(",", "")]
                yield " ".join([name, *options]), [f"answer-{name}", *options], point.time_us


def count(build: Path, words: List[str], gpu: parameters.Gpu) -> Dict[str, object]:
    ending = run.counted(build / "bin" / words[0], words[1:], build / "simulator", gpu)
    if ending.status != errors.MATCHES:
        return {"refused": ending.error or ending.messages[-200:]}
    return counts.packed(ending.counted)


def ordinary(build: Path, option: str, gpu: parameters.Gpu) -> Tuple[List[str], List[object]]:
    """The names that the program prints, one for each launch, and the launches."""
    with scratch.folder() as folder:
        report = folder / "report.json"
        environment = {**simulator.environment((build / "simulator").resolve(), str(report)), **run.settings(ROOT, build / "simulator", gpu)}
        found = subprocess.run([str(build / "bin/ordinary_kernels"), option], env=environment, stdout=subprocess.PIPE, text=True, check=True)
        return found.stdout.splitlines(), json.loads(report.read_text(encoding="utf-8"))["launches"]


def write(path: Path, rows: Dict[str, object]) -> None:
    lines = [f"{json.dumps(name)}: {json.dumps(row, separators=(',', ':'))}" for name, row in rows.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def main() -> int:
    what, build, out, *wanted = sys.argv[1:]
    build = str(Path(build).resolve())
    gpu, rows = parameters.read("h200"), {}
    if what == "stages":
        for name, words, time_us in stages(wanted):
            rows[name] = {"time_us": round(time_us, 2), **count(Path(build), words, gpu)}
            print(name, len(rows[name].get("launches", [])), rows[name].get("refused", ""), flush=True)
    else:
        for option in ("--timed", "--timed-again"):
            names, launches = ordinary(Path(build), option, gpu)
            if len(names) != len(launches):
                print(f"count.py: {len(names)} names and {len(launches)} launches", file=sys.stderr)
                return 1
            for name, launch in zip(names, launches):
                rows[f"{option[2:].replace('-', '_')} {name}"] = counts.packed({"launches": [launch]})
    write(Path(out), rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
