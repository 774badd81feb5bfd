# SPDX-License-Identifier: MIT
"""The simulator's reports as files. It joins the reports of all processes of a run. The fields are in
common/simulator/report/FORMAT.md."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Dict, List, Optional

Report = Dict[str, object]

FORMAT = 2
NOTHING_COPIED = "cbf29ce484222325"  # results_digest of a program that copied no bytes from the device
JOINED = ("kernels", "launches", "findings", "lines", "library_calls")  # lists: those of the processes are joined in order
ADDED = ("launches_left_out", "findings_left_out")


def read(path: Path) -> Report:
    """Reads a report. Empty where there is none, or where its writer was killed before."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def read_folder(folder: Path) -> Optional[Report]:
    """The report of one run, with a file from each process. None: no process used the simulator."""
    files = sorted(folder.glob("*.json"), key=lambda file: file.stat().st_mtime_ns)
    reports = [report for report in map(read, files) if report]
    # A shell or a launcher may load the simulator's library and use no device.
    active = [report for report in reports if any(report.get(name) for name in ("launches", "findings", "library_calls"))]
    return join(active or reports[:1]) if reports else None


def join(reports: List[Report]) -> Report:
    joined = dict(reports[0])
    for report in reports[1:]:
        for name in JOINED:
            joined[name] = [*joined.get(name, []), *report.get(name, [])]
        for name in ADDED:
            joined[name] = joined.get(name, 0) + report.get(name, 0)
        streams = report.get("streams", {})
        joined["streams"] = {name: streams.get(name, 0) + count for name, count in joined.get("streams", streams).items()}
    digests = [str(report.get("results_digest")) for report in reports]
    if len(reports) > 1:
        joined["processes"] = len(reports)
        joined["results_digest"] = hashlib.sha256(" ".join(digests).encode()).hexdigest()[:16]
    return joined
