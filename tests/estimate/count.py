#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records the simulator's counts of programs whose time on an H200 is known. tests/estimate/evaluate.py makes estimates of
them without running a kernel. Run it again after a change of what the simulator counts, with the files of
scripts/measured/estimate as OUT.

Usage: count.py lessons BUILD OUT [STAGE ...]  the answers, at the sizes of scripts/measured/traffic_h200.json
       count.py ordinary BUILD OUT             the ordinary kernels, at the sizes of scripts/measured/times/ordinary_h200.json
       count.py unseen BUILD OUT               the unseen kernels, in the same way"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Dict, List, Tuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from workbook_lib.base import errors, scratch  # noqa: E402
from workbook_lib.estimate import counts, parameters, run  # noqa: E402
from workbook_lib.simulator import simulator  # noqa: E402

def count(build: Path, words: List[str], gpu: parameters.Gpu) -> Dict[str, object]:
    ending = run.counted(build / "bin" / words[0], words[1:], build / "simulator", gpu)
    if ending.status != errors.MATCHES:
        return {"refused": ending.error or ending.messages[-200:]}
    return counts.packed(ending.counted)


def settings(build: Path, gpu: parameters.Gpu) -> Dict[str, str]:
    """Each launch begins with an empty L2, as the measured ones did."""
    found = run.settings(ROOT, build / "simulator", gpu)
    return {**found, "CUDASIM_TIMING": found["CUDASIM_TIMING"] + ",cold=1"}


def kernels(build: Path, program: str, option: str, gpu: parameters.Gpu) -> Tuple[List[str], List[object]]:
    """The names that the program prints, one for each launch, and the launches."""
    with scratch.folder() as folder:
        report = folder / "report.json"
        environment = {**simulator.environment((build / "simulator").resolve(), str(report)), **settings(build, gpu)}
        found = subprocess.run([str(build / "bin" / program), option], env=environment, stdout=subprocess.PIPE, text=True, check=True)
        return found.stdout.splitlines(), json.loads(report.read_text(encoding="utf-8"))["launches"]


def write(path: Path, rows: Dict[str, object]) -> None:
    lines = [f"{json.dumps(name)}: {json.dumps(row, separators=(',', ':'))}" for name, row in rows.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def main() -> int:
    what, build, out, *wanted = sys.argv[1:]
    build = str(Path(build).resolve())
    gpu, rows = parameters.read("h200"), {}
    if what == "lessons":
        measured = json.loads((ROOT / "scripts/measured/traffic_h200.json").read_text(encoding="utf-8"))["stages"]
        for name in wanted or measured:
            size = str(measured[name]["size"])
            rows[name] = {"size": size, **count(Path(build), [f"answer-{name}", "--size", size], gpu)}
            print(name, len(rows[name].get("launches", [])), rows[name].get("refused", ""), flush=True)
    else:
        for option in ("--timed", "--timed-again"):
            names, launches = kernels(Path(build), f"{what}_kernels", option, gpu)
            if len(names) != len(launches):
                print(f"count.py: {len(names)} names and {len(launches)} launches", file=sys.stderr)
                return 1
            for name, launch in zip(names, launches):
                rows[f"{option[2:].replace('-', '_')} {name}"] = counts.packed({"launches": [launch]})
    write(Path(out), rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
