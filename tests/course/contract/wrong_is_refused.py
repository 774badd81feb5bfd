#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves that wrong kernels are refused, each for the reason that the first line of its file states:

    // refused: REASON: one sentence why

REASON is one of these:

    wrong-result     the program exits with 1
    failed-launch    a CUDA error that the kernel's host code did not check
    failed-call      a call of CUDA fails, and the kernel's host code says so
    not-the-step     right, but its counters do not keep the limits of technique.json
    the kind of a simulator's finding: out-of-bounds, barrier-divergence, race, ...

A GPU gives no findings. There a kernel may still be refused by its result. One with a race may also be refused by an error
while it runs, or because it never ends.

Some errors show only for some inputs or orders of the warps, so several are tried. A line `// shown by: [CUDASIM_...=...]
--size N --block-size B` below the first says which run is sure to show it. That run comes first, and must show it on the
simulator. A line `// diagnosis: WORDS` below it holds words of what --explain then says.

Exit status: 0 refused as stated, 1 not so, 77 cannot be shown here (why is printed). With several kernels it
is 1 where one has 1, and 77 where all have 77.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Set, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
from workbook_lib.simulator import vocabulary  # noqa: E402

FIRST_LINE = re.compile(r"^// refused: (?P<reason>[a-z]+(?:-[a-z]+)*): (?P<why>\S.*)$")
SHOWN_BY = re.compile(r"^// shown by: (?P<settings>(?:CUDASIM_[A-Z_]+=\S+ )*)(?P<options>(?:--\S+ \S+ ?)*)")
DIAGNOSIS = re.compile(r"^// diagnosis: (\S.*)$", re.MULTILINE)
FINDINGS = {finding.word for finding in vocabulary.FINDINGS}
RESULTS = {"wrong-result", "failed-launch", "failed-call", "not-the-step"}
CALL_FAILED = re.compile(r"^error: answers/\S+: cuda\w+\(.* failed: cuda", re.MULTILINE)
SKIPPED = 77

# Warp instructions that a block may take: more than twice what the longest answer needs on one multiprocessor, and a fraction of the default,
# so that an endless loop ends soon.
STEP_BUDGET = "5000000"
SCHEDULES: List[Dict[str, str]] = [
    {},
    {"CUDASIM_SCHEDULE": "adversarial", "CUDASIM_SEED": "1"},
    {"CUDASIM_SCHEDULE": "random", "CUDASIM_SEED": "1", "CUDASIM_BLOCKS": "6", "CUDASIM_MULTIPROCESSORS": "1"},
    {"CUDASIM_SCHEDULE": "random", "CUDASIM_SEED": "2"},
    {"CUDASIM_SCHEDULE": "adversarial", "CUDASIM_SEED": "2"},
    {"CUDASIM_SCHEDULE": "random", "CUDASIM_SEED": "3"},
]
CASES = ("--cases", "quick,hostile")  # what a learner's file is held to


@dataclass(frozen=True)
class Claim:
    """What the file says of itself."""

    reason: str
    why: str
    shown_by: Optional[Tuple[Dict[str, str], Sequence[str]]]


@dataclass
class Attempt:
    """One run of the program and what spoke against it."""

    command: str
    status: int
    evidence: Set[str] = field(default_factory=set)
    says: str = ""


def read_claim(kernel: Path) -> Claim:
    """Raises ValueError with a sentence where the file does not say why it is refused."""
    lines = kernel.read_text(encoding="utf-8").splitlines() or [""]
    match = FIRST_LINE.match(lines[0])
    if not match:
        raise ValueError(f"{kernel.name}:1: must be `// refused: REASON: one sentence why`, and is `{lines[0]}`")
    reason = match["reason"]
    if reason not in FINDINGS | RESULTS:
        raise ValueError(f"{kernel.name}:1: '{reason}' is no reason; there are {', '.join(sorted(FINDINGS | RESULTS))}")
    for line in lines[1:10]:
        shown = SHOWN_BY.match(line)
        if shown:
            settings = dict(setting.split("=", 1) for setting in shown["settings"].split())
            return Claim(reason, match["why"], (settings, shown["options"].split()))
    return Claim(reason, match["why"], None)


def run(program: Sequence[str], settings: Dict[str, str], options: Sequence[str], on_simulator: bool) -> Attempt:
    name = Path(program[0]).name
    command = " ".join([*(f"{name}={value}" for name, value in settings.items()), name, *program[1:], *options])
    time_limit = 100 if on_simulator else 20
    with tempfile.TemporaryDirectory(prefix="workbook-") as folder:
        report = Path(folder) / "report.json"
        environment = {**os.environ, **settings}
        if on_simulator:
            environment = {**environment, "CUDASIM_REPORT": str(report), "CUDASIM_STEP_BUDGET": STEP_BUDGET}
        try:
            ended = subprocess.run(
                [*program, *options], env=environment, timeout=time_limit, check=False, text=True,
                errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return Attempt(command, -1, {"time-out"}, f"the program did not end within {time_limit} seconds")
        attempt = Attempt(command, ended.returncode, says=ended.stderr.strip())
        if on_simulator:
            try:
                findings = json.loads(report.read_text(encoding="utf-8"))["findings"]
            except (OSError, ValueError, KeyError) as error:
                attempt.evidence = {"no-report"}
                attempt.says += f"\nthe simulator left no report: {error}"
                return attempt
            attempt.evidence = {finding["kind"] for finding in findings}
    if ended.returncode == 1:
        attempt.evidence.add("wrong-result")
    elif ended.returncode == 3 and "nothing there checked it" in ended.stderr:
        attempt.evidence = attempt.evidence - {"refused-launch"} | {"failed-launch"}  # a simulator says it so
    elif ended.returncode == 3 and not attempt.evidence and CALL_FAILED.search(ended.stderr):
        attempt.evidence.add("failed-call")
    elif ended.returncode == 3 and not attempt.evidence:
        attempt.evidence.add("failed-kernel" if "a kernel before it failed" in ended.stderr else "unexplained-error")
    elif ended.returncode not in (0, 3):
        attempt.evidence.add(f"exit-status-{ended.returncode}")
    return attempt


def verdict(claim: Claim, attempts: Sequence[Attempt], on_simulator: bool) -> Tuple[bool, str]:
    """Whether the last attempt settles it, and what it shows. A race or a warp mask may also spoil the sum. A race with an
    asynchronous copy is mostly also an access to a copy under way. A value from a missing lane may only be known as one that
    nothing wrote."""
    last = attempts[-1]
    also_allowed = {"wrong-result"} if claim.reason in FINDINGS else set()
    if claim.reason in ("race", "async-copy"):
        also_allowed |= {"race", "async-copy"}
    if claim.reason == "shuffle-source":
        also_allowed.add("uninitialised")
    shows = {claim.reason}
    if not on_simulator:
        # A GPU tells by the result alone. But a race may spoil an address, too, or what somebody waits for.
        shows |= {"wrong-result", "failed-kernel", "time-out"} if claim.reason == "race" else also_allowed
    surprises = last.evidence - shows - also_allowed
    if surprises:
        return True, f"refused for another reason, {', '.join(sorted(surprises))}"
    return bool(last.evidence & shows), ""


def plan(claim: Claim, on_simulator: bool) -> List[Tuple[Dict[str, str], Sequence[str]]]:
    runs = [] if claim.shown_by is None else [claim.shown_by if on_simulator else ({}, claim.shown_by[1])]
    runs += [(schedule, CASES) for schedule in (SCHEDULES if on_simulator else [{}, {}, {}])]
    check = vocabulary.ASKED_FOR.get(claim.reason)
    checks = {"CUDASIM_CHECK": check} if on_simulator and check else {}
    return [({**settings, **checks}, options) for settings, options in runs]


def check(kernel: Path, program: Path, device: str) -> int:
    claim = read_claim(kernel)
    on_simulator = device == "simulator"
    if not on_simulator and claim.reason in FINDINGS - {"race"}:
        print(f"skipped: only the simulator reports {claim.reason}; a GPU goes on, or stops without saying where")
        return SKIPPED

    if claim.reason == "not-the-step":
        return check_step(kernel, program)
    attempts: List[Attempt] = []
    for settings, options in plan(claim, on_simulator):
        attempts.append(run([str(program), "--kernel", kernel.stem], settings, options, on_simulator))
        settled, problem = verdict(claim, attempts, on_simulator)
        last = attempts[-1]
        if problem:
            print(f"{kernel.name}: {problem}, not for {claim.reason}: {last.command}\n{last.says}")
            return 1
        if settled:
            print(f"refused for {claim.reason}: {last.command}\n{last.says}")
            return check_diagnosis(kernel, program, options) if on_simulator else 0
        if on_simulator and claim.shown_by is not None and len(attempts) == 1:
            print(f"{kernel.name}: its `shown by` line does not show {claim.reason}: {last.command}")
            return 1
    in_one_order = claim.shown_by is not None and bool(claim.shown_by[0])
    if not on_simulator and (claim.reason == "race" or in_one_order):
        print(f"skipped: in {len(attempts)} runs this GPU hid it; the simulator shows it, in one order of the warps")
        return SKIPPED
    print(f"{kernel.name}: accepted in {len(attempts)} runs, and should be refused for {claim.reason}")
    return 1


def figures_of(kernel: Path, program: Path) -> list:
    """What the counters of this kernel show, beside what they must."""
    import must_hold  # beside this file; few kernels need it, and each is a process that would import it
    from workbook_lib.judge import expected_counters

    command = [str(program), "--kernel", kernel.stem]
    rules = expected_counters.read_rules(kernel.parents[3], kernel.parents[1].name)
    return expected_counters.figures(rules, must_hold.run_all(command, str(program.parents[1] / "simulator"), rules).counted)


def check_step(kernel: Path, program: Path) -> int:
    """A kernel that is right, and still does not do what its stage is about: on the simulator, which counts."""
    command = [str(program), "--kernel", kernel.stem]
    if subprocess.run([*command, *CASES], timeout=100, check=False, stdout=subprocess.DEVNULL).returncode != 0:
        print(f"{kernel.name}: its result is wrong, and it should only be refused for its counters")
        return 1
    from workbook_lib.judge import expected_counters

    missed = [figure for figure in figures_of(kernel, program) if not figure.holds]
    print(expected_counters.table(missed) if missed else f"{kernel.name}: keeps all limits of {expected_counters.FILE}")
    return 0 if missed else 1


def check_diagnosis(kernel: Path, program: Path, options: Sequence[str]) -> int:
    wanted = DIAGNOSIS.search(kernel.read_text(encoding="utf-8"))
    if wanted is None:
        return 0
    command = [str(program), "--kernel", kernel.stem, *options, "--explain", "--json"]
    ended = subprocess.run(command, timeout=100, check=False, text=True, capture_output=True)
    said = str(json.loads(ended.stdout).get("diagnosis") or "nothing")
    if wanted[1] in said:
        return 0
    print(f"{kernel.name}: --explain says {said!r}, and should say {wanted[1]!r}")
    return 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", choices=("gpu", "simulator"), required=True)
    parser.add_argument("program", type=Path, help="what was built from the kernels")
    parser.add_argument("kernels", type=Path, nargs="+", help="the .cu files")
    arguments = parser.parse_args()
    statuses = set()
    for kernel in arguments.kernels:
        print(f"== {kernel.stem}", flush=True)
        try:
            statuses.add(check(kernel, arguments.program, arguments.device))
        except ValueError as error:
            print(error)
            statuses.add(1)
    return 1 if 1 in statuses else min(statuses)


if __name__ == "__main__":
    sys.exit(main())
