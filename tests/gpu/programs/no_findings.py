#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a correct program on the simulator and fails when the simulator finds something: a false alarm.

The report must say that each of --checks (names with commas, or nothing) was on; CUDASIM_CHECK turns them on.

Exit status: 0 silent and right, 77 when the program says that the device lacks something, otherwise 1."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checks", default="")
    parser.add_argument("program")
    parser.add_argument("arguments", nargs="*")
    options = parser.parse_args()
    program, demanded = options.program, {check for check in options.checks.split(",") if check}
    with tempfile.TemporaryDirectory() as folder:
        report_path = Path(folder) / "report.json"
        environment = {**os.environ, "CUDASIM_REPORT": str(report_path)}
        status = subprocess.run([program, *options.arguments], env=environment).returncode
        if status == SKIPPED:
            return SKIPPED
        if not report_path.is_file():
            print(f"{program}: exit status {status}, and no report: it did not run on the simulator")
            return 1
        report = json.loads(report_path.read_text(encoding="utf-8"))
    complaints = [f"exit status {status}"] if status != 0 else []
    complaints += [f"{check} was not checked" for check in sorted(demanded - set(report.get("checks", [])))]
    if not report["kernels"] and not report["library_calls"]:
        complaints.append("no kernel ran")
    for finding in report["findings"]:
        complaints.append(f"{finding['file']}:{finding['line']}: {finding['kind']}: {finding['message']}")
    if report["findings_left_out"]:
        complaints.append(f"{report['findings_left_out']} more findings")
    for complaint in complaints:
        print(f"{program}: {complaint}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
