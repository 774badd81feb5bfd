#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves that findings do not depend on the number of workers.

    same_with_all_workers.py FOLDER PROGRAM      (LD_LIBRARY_PATH names the simulator)

Every bug of the folder, and its repair, is run with all checks by one worker, and several times by two and by four: what the
program says, how it ends and the simulator's report must be the same, byte for byte. Who asks for a number of workers has
them also where a kernel is small.

Exit status: 0 as promised, 1 not so.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

WORKERS = ("2", "4") * 2
HOST_ADDRESS = re.compile(r"0x[5-7][0-9a-f]{11}\b|\b(?:9|1\d)\d{13}\b")  # other ones in each run
LEFT_OUT = ("seconds", "workers")  # times, and what is asked for


def run(command, workers):
    """What the program says, with the report but for times, and its status."""
    with tempfile.TemporaryDirectory(prefix="workbook-") as folder:
        report = Path(folder) / "report.json"
        settings = {"CUDASIM_CHECK": "all", "CUDASIM_WORKERS": workers, "CUDASIM_STEP_BUDGET": "100000"}
        ended = subprocess.run(
            command, env={**os.environ, **settings, "CUDASIM_REPORT": str(report)}, timeout=50, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        )  # fmt: skip
        lines = report.read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if not any(f'"{name}"' in line for name in LEFT_OUT)]
    return HOST_ADDRESS.sub("(of the host)", "\n".join([ended.stdout, *kept])), ended.returncode


def main():
    folder, program = sys.argv[1:]
    sources = sorted(Path(folder).glob("*.cu"))
    problems = 0
    for source in sources:
        for part in ("bug", "repaired"):
            command = [program, source.stem, part]
            alone = run(command, "1")
            for workers in WORKERS:
                if run(command, workers) != alone:
                    print(f"{source.stem}, {part}: another report with CUDASIM_WORKERS={workers} than with 1")
                    problems += 1
    print(f"{2 * len(sources)} programs, {problems} runs that differ")
    return 1 if problems or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
