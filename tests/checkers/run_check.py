#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves that the simulator finds a planted bug at its line, and is silent about the repaired program.

    run_check.py tests/checkers/AREA/CLASS.cu PROGRAM      (LD_LIBRARY_PATH names the simulator)

The bug is run with all checks under three schedules of warps and blocks, and must be found in each: detection does not
depend on a lucky order. It is run with each check alone, and only the responsible one may find it. The repaired program
is run with all checks under the same schedules: no finding, no error, the same results. What is to be found, and where,
stands in the .cu file (planted.py). In a race the order of the two accesses is chance: in the usual schedule it must be
as the file says, in others it may be the other way round.

Exit status: 0 as promised, 1 not so.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Sequence

import planted

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from workbook_lib.simulator import vocabulary  # noqa: E402

Finding = Dict[str, Any]
SCHEDULES = [("plain", 0), ("adversarial", 1), ("random", 2), ("random", 3)]
IN_ALL = [check.word for check in vocabulary.CHECKS if check.asked == "in_all"]
MIRRORED = {"read-after-write": "write-after-read", "write-after-read": "read-after-write"}
STEP_BUDGET = "100000"  # warp instructions of a block: far more than any of these programs needs


class Run:
    """One run of a program, and the simulator's report on it."""

    def __init__(self, command: Sequence[str], checks: str, schedule: str, seed: int) -> None:
        settings = {"CUDASIM_CHECK": checks, "CUDASIM_SCHEDULE": schedule, "CUDASIM_STEP_BUDGET": STEP_BUDGET}
        if schedule != "plain":
            settings["CUDASIM_SEED"] = str(seed)
        self.name = " ".join(f"{key}={value}" for key, value in settings.items())
        self.plain, self.seed = schedule == "plain", seed
        with tempfile.TemporaryDirectory(prefix="workbook-") as folder:
            report = Path(folder) / "report.json"
            environment = {**os.environ, **settings, "CUDASIM_REPORT": str(report)}
            ended = subprocess.run(
                command, env=environment, timeout=50, check=False, text=True, errors="replace",
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )  # fmt: skip
            self.status, self.says = ended.returncode, ended.stdout
            self.report: Dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
        self.findings: List[Finding] = self.report["findings"]


def field_of(finding: Finding, name: str) -> str:
    value: Any = finding
    for part in name.split("."):
        value = value.get(part, "(missing)") if isinstance(value, dict) else "(missing)"
    return str(value).lower() if isinstance(value, bool) else str(value)


def headline(finding: Finding) -> str:
    place = f"{Path(finding.get('file', '')).name}:{finding.get('line')}"
    other = f", other line {finding['other']['line']}" if "other" in finding else ""
    words = " ".join(str(finding[name]) for name in ("scope", "hazard", "use") if name in finding)
    return f"{finding['kind']} {words} at {place}{other}: {finding.get('message')}"


def linear(index: Sequence[int], extent: Sequence[int]) -> int:
    return index[0] + extent[0] * (index[1] + extent[1] * index[2])


def scope_of(finding: Finding, report: Dict[str, Any]) -> str:
    """The smallest group that has both threads, from their indices alone."""
    other = finding["other"]
    if finding["block"] != other["block"]:
        return "grid"
    extent = next(kernel["block"] for kernel in report["kernels"] if kernel["name"] == finding["kernel"])
    threads = [linear(access["thread"], extent) for access in (finding, other)]
    if threads[0] == threads[1]:
        return "one thread"
    return "warp" if threads[0] // 32 == threads[1] // 32 else "block"


def incomplete(finding: Finding, claim: planted.Planted, run: Run) -> List[str]:
    """What every finding must say, whatever its line."""
    problems = [f"no {name}" for name in ("message", "advice") if not finding.get(name)]
    if finding.get("seed") != run.seed:
        problems.append(f"seed {finding.get('seed')}")
    if finding["kind"] == "leak" and not finding.get("allocation"):
        problems.append("no allocation")
    if claim.allocated and finding.get("allocated", {}).get("line") not in claim.allocated:
        problems.append(f"allocated at {finding.get('allocated')}")
    if finding["kind"] == "leak":
        return problems
    if not finding["file"].endswith(f"{claim.name}.cu"):
        problems.append(f"file {finding['file']}")
    if finding["kernel"] not in [kernel["name"] for kernel in run.report["kernels"]]:
        problems.append(f"kernel {finding['kernel']}")
    accesses = [finding] + ([finding["other"]] if "other" in finding else [])
    if not all(len(access[name]) == 3 for access in accesses for name in ("block", "thread")):
        problems.append("no block or thread")
    if finding["kind"] == "race":
        if scope_of(finding, run.report) != finding["scope"]:
            problems.append(f"scope {finding['scope']} for threads of one {scope_of(finding, run.report)}")
        if finding["hazard"] == "write-after-write" and not (finding["is_atomic"] or finding["other"]["is_atomic"]):
            values = finding.get("values", {})
            if values.get("before") == values.get("after"):
                problems.append(f"values {values}")
    return problems


def at_marks(finding: Finding, claim: planted.Planted, as_written: bool) -> bool:
    """Whether it names the marked lines, in the order of the file or, for a race, the other way round."""
    if finding["kind"] == "leak":
        return True
    here, other = finding["line"], (finding.get("other") or finding.get("other_call") or {}).get("line")
    if here in claim.here and (not claim.other or other in claim.other):
        return True
    return not as_written and here in claim.other and other in claim.here


def has_fields(finding: Finding, claim: planted.Planted, as_written: bool) -> bool:
    if finding["kind"] != claim.kind:
        return False

    def holds(fields: Dict[str, str]) -> bool:
        return all(field_of(finding, name) == value for name, value in fields.items())

    if as_written or claim.kind != "race":
        return holds(claim.fields)
    swapped = {
        (name[6:] if name.startswith("other.") else "other." + name if name == "is_atomic" else name): value
        for name, value in claim.fields.items()
    }
    if "hazard" in swapped:
        swapped["hazard"] = MIRRORED.get(swapped["hazard"], swapped["hazard"])
    return holds(claim.fields) or holds(swapped)


def problems_of_bug(run: Run, claim: planted.Planted) -> List[str]:
    if not run.findings:
        return ["no finding"]
    problems = []
    allowed = claim.here | claim.other | claim.also
    for finding in run.findings:
        wrong = incomplete(finding, claim, run)
        if finding["kind"] != claim.kind:
            wrong.append("not the planted bug")
        elif finding["kind"] != "leak" and finding["line"] not in allowed:
            wrong.append("not a marked line")
        problems += [f"{what}: {headline(finding)}" for what in wrong]
    marked = [f for f in run.findings if has_fields(f, claim, run.plain) and at_marks(f, claim, run.plain)]
    if not marked:
        problems += [f"not as the file says: {headline(finding)}" for finding in run.findings]
    problems += [f"does not say `{words}`: {said(f)}" for words in claim.says for f in marked if words not in said(f)]
    problems += [f"says `{words}`: {said(f)}" for words in claim.says_not for f in run.findings if words in said(f)]
    return problems


def said(finding: Finding) -> str:
    return " ".join(finding.get(name, "") for name in ("message", "allocation", "advice"))


def problems_of_twin(run: Run, first: Run) -> List[str]:
    problems = [headline(finding) for finding in run.findings]
    if run.status != 0:
        problems.append(f"status {run.status}")
    if not run.report["launches"] or any(launch["error"] for launch in run.report["launches"]):
        problems.append("no kernel ran to its end")
    if run.report.get("results_digest") != first.report.get("results_digest"):
        problems.append("other results than in the usual schedule")
    return problems


def check(source: Path, bug: Sequence[str], repaired: Sequence[str]) -> List[str]:
    claim = planted.read(source)
    if claim.kind != "leak" and not claim.here:
        return [f"{source}: no line is marked `// <- here`"]
    problems = []

    def say(who: str, run: Run, what: Sequence[str]) -> None:
        problems.extend(f"{who}, {run.name}: {one}" for one in what)

    responsible = vocabulary.ASKED_FOR.get(claim.kind)
    on_request = [] if responsible is None or responsible in IN_ALL else [responsible]
    everything = ",".join(["all", *on_request])
    for schedule, seed in SCHEDULES:
        run = Run(bug, everything, schedule, seed)
        say("the bug", run, problems_of_bug(run, claim))
        if schedule == "plain":
            print(run.says)
    for alone in ("none", *IN_ALL, *on_request):
        run = Run(bug, alone, "plain", 0)
        if responsible is None or alone == responsible:
            say("the bug", run, problems_of_bug(run, claim))
        else:
            say("the bug", run, [f"found by the wrong check: {headline(finding)}" for finding in run.findings])
    twins = [Run(repaired, everything, schedule, seed) for schedule, seed in SCHEDULES]
    for run in twins:
        say("the repaired program", run, problems_of_twin(run, twins[0]))
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="the .cu file")
    parser.add_argument("program", help="what was built from its folder: PROGRAM CLASS bug|repaired runs one")
    parser.add_argument("--swapped", action="store_true", help="take each for the other, which must fail")
    arguments = parser.parse_args()
    bug, repaired = ([arguments.program, arguments.source.stem, twin] for twin in ("bug", "repaired"))
    if arguments.swapped:
        bug, repaired = repaired, bug
    try:
        problems = check(arguments.source, bug, repaired)
    except (ValueError, OSError, KeyError, subprocess.TimeoutExpired) as error:
        problems = [f"{type(error).__name__}: {error}"]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
