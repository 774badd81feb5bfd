# SPDX-License-Identifier: MIT
"""Runs the tests of ctest with each mutant, until one fails. What is known is in a file of lines, so that one can go on."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Set

# Tests that read documents and Python alone, or judge mutants themselves.
# workbook.command-line writes to one place, so it cannot run twice at a time.
NOT_RUN = re.compile(
    r"^workbook\.command-line|^(contract|mutation|learner|bench)\b|^scripts/(?!test_(simulate|findings|access|line_profile|report))|\.todo\b|^ptx\.(aliased\.)?files$"
)
# How many mutants a test is thought to kill before it has run.
PRIOR = (
    (re.compile(r"^simulator\.unit"), 8.0),
    (re.compile(r"^workbook\."), 8.0),
    (re.compile(r"^(ptx|checks|simulator|fuzz|random|libraries|counters)\."), 2.0),
    (re.compile(r"^programs\.[a-z_]+errors"), 4.0),
    (re.compile(r"^programs\.gallery"), 1.0),
    (re.compile(r""), 0.5),
)
# The tests that are about these sources come first.
ABOUT = (
    (re.compile(r"/checkers/init/"), re.compile(r"^checks\.init|^simulator\.(init|unit)")),
    (re.compile(r"/checkers/race/"), re.compile(r"^checks\.(race|sync|async)|^simulator\.unit")),
    (re.compile(r"/checkers/history/"), re.compile(r"^scripts/|^simulator\.unit")),
    (re.compile(r"/(report|messages)/"), re.compile(r"^checks\.|^scripts/|^simulator\.(program|unit)")),
    (re.compile(r"/libraries/"), re.compile(r"^libraries|^scripts/test_simulate_lib")),
    (re.compile(r"/(runtime|driver)/"), re.compile(r"^simulator\.|^programs\..*errors|^programs\.gallery")),
    (re.compile(r"texture"), re.compile(r"texture")),
    (re.compile(r"/(decode|isa|ptx|vector|program)/"), re.compile(r"^(ptx|language|levels|tensor)\.|^simulator\.unit")),
    (re.compile(r"/(ptxas_model|units)/"), re.compile(r"^counters|^ptx\.|^simulator\.unit")),
    (re.compile(r"/machine/"), re.compile(r"^checks\.sync|^simulator\.(program|unit)|^ptx\.")),
    (re.compile(r"/workbook/"), re.compile(r"^workbook|\.wrong")),
)
ABOUT_FACTOR = 20.0
SHARDS = 12  # of simulator.unit, which takes long
FIRST_ROUND_SECONDS, LONGEST_ROUND_SECONDS = 4.0, 40.0
MOST_OUTPUT_BYTES = 64 << 20


@dataclass
class Test:
    name: str
    command: List[str]
    properties: Dict[str, object]
    seconds: float = 0.0
    kills: float = field(default=0.0)

    def is_there(self) -> bool:
        return all(Path(word).exists() for word in self.command if word.startswith("/") and "/bin/" in word)

    def score(self, path: str) -> float:
        """How likely it kills a mutant of this file, for its time."""
        is_about = any(of_source.search(path) and of_test.search(self.name) for of_source, of_test in ABOUT)
        return (ABOUT_FACTOR if is_about else 1.0) * self.kills / (self.seconds + 0.05)


def read_tests(build: Path) -> List[Test]:
    answer = subprocess.run(
        ["ctest", "--test-dir", str(build), "--show-only=json-v1"], check=True, stdout=subprocess.PIPE
    )
    found = []
    for row in json.loads(answer.stdout)["tests"]:
        test = Test(
            row["name"], row.get("command", []), {p["name"]: p["value"] for p in row.get("properties", [])}
        )
        if test.command and not NOT_RUN.search(test.name) and test.is_there():
            test.kills = next(weight for pattern, weight in PRIOR if pattern.search(test.name))
            found += shards(test) if test.name == "simulator.unit" else [test]
    return found


def shards(test: Test) -> List[Test]:
    found = []
    for index in range(SHARDS):
        words = [*test.properties.get("ENVIRONMENT", []), f"GTEST_TOTAL_SHARDS={SHARDS}", f"GTEST_SHARD_INDEX={index}"]
        properties = {**test.properties, "ENVIRONMENT": words}
        found.append(Test(f"{test.name}.{index}", test.command, properties, kills=test.kills))
    return found


def prepare(build: Path) -> None:
    """The files that other tests read."""
    subprocess.run(["ctest", "--test-dir", str(build), "-R", r"^ptx\.(aliased\.)?files$"], stdout=subprocess.DEVNULL)


def limit_child() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_OUTPUT_BYTES, MOST_OUTPUT_BYTES))
    try:
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    except OSError:
        pass


def run(test: Test, mutant: int, timeout_s: float) -> str:
    """Empty: the test passes. Otherwise why it does not."""
    environment = dict(os.environ, SIMULATOR_MUTANT=str(mutant), PYTHONDONTWRITEBYTECODE="1")
    for setting in test.properties.get("ENVIRONMENT", []):
        name, _, value = setting.partition("=")
        environment[name] = value
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            test.command,
            cwd=str(test.properties.get("WORKING_DIRECTORY", "/")),
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=limit_child,
        )
        try:
            status = process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return "too slow"
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        output.seek(0)
        return complaint(test, status, output.read().decode(errors="replace"))


def complaint(test: Test, status: int, text: str) -> str:
    """As ctest judges."""
    wanted = test.properties.get("PASS_REGULAR_EXPRESSION", [])
    unwanted = test.properties.get("FAIL_REGULAR_EXPRESSION", [])
    if any(matches(pattern, text) for pattern in unwanted):
        return "an output that must not be"
    if wanted:
        return "" if any(matches(pattern, text) for pattern in wanted) else "another output"
    if status == 0 or status == test.properties.get("SKIP_RETURN_CODE"):
        return "" if not test.properties.get("WILL_FAIL") else "it passes"
    if test.properties.get("WILL_FAIL"):
        return ""
    return f"signal {-status}" if status < 0 else f"status {status}"


def matches(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.DOTALL) is not None


class Results:
    """What is known, by mutant: the tests that it passed, and the one that killed it."""

    def __init__(self, path: Path):
        self.path = path
        self.lock = threading.Lock()
        self.passed: Dict[str, Set[str]] = {}
        self.killed: Dict[str, Dict[str, str]] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                self.note(json.loads(line))

    def note(self, row: Dict) -> None:
        self.passed.setdefault(row["mutant"], set()).update(row["passed"])
        if row.get("killed_by"):
            self.killed[row["mutant"]] = {"by": row["killed_by"], "why": row["why"]}

    def add(self, mutant: str, passed: Sequence[str], killed_by: Optional[str], why: str) -> None:
        row = {"mutant": mutant, "passed": list(passed), "killed_by": killed_by, "why": why}
        with self.lock:
            self.note(row)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")


def measure(tests: Sequence[Test], jobs: int, most_seconds: float, file: Path) -> List[Test]:
    """Runs each test without a mutant. Those remain that pass in `most_seconds`."""
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}

    def one(test: Test) -> None:
        if test.name not in known:
            begin = time.monotonic()
            why = run(test, 0, most_seconds)
            known[test.name] = [why, time.monotonic() - begin]

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(one, tests))
    file.write_text(json.dumps(known), encoding="utf-8")
    for test in tests:
        test.seconds = known[test.name][1]
        if known[test.name][0] not in ("", "too slow"):
            print(f"{test.name} fails without a mutant: {known[test.name][0]}; it judges none")
    return [test for test in tests if known[test.name][0] == ""]


def judge(numbers: Dict[str, int], tests: Sequence[Test], results: Results, jobs: int, deadline: float) -> None:
    """In rounds, in which each mutant that is alive meets its strongest tests that it has not met, for some seconds."""
    round_seconds = FIRST_ROUND_SECONDS
    for killed in results.killed.values():
        for test in tests:
            test.kills += test.name == killed["by"]

    def is_alive(mutant: str) -> bool:
        return mutant not in results.killed

    def tests_of(mutant: str) -> List[Test]:
        met = results.passed.get(mutant, set())
        left = [test for test in tests if test.name not in met]
        return sorted(left, key=lambda test: -test.score(mutant.split(":")[0]))

    def one(mutant: str) -> None:
        passed: List[str] = []
        spent = 0.0
        for test in tests_of(mutant):
            left, limit = deadline - time.monotonic(), 10 * test.seconds + 3
            if left < 0 or spent > round_seconds:
                break
            spent += test.seconds
            why = run(test, numbers[mutant], min(limit, left))
            if why == "too slow" and left < limit:
                break
            if why:
                test.kills += 1
                results.add(mutant, passed, test.name, why)
                return
            passed.append(test.name)
        results.add(mutant, passed, None, "")

    while time.monotonic() < deadline:
        alive = [mutant for mutant in numbers if is_alive(mutant) and tests_of(mutant)]
        if not alive:
            break
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(one, alive))
        print(f"{sum(map(is_alive, numbers))} of {len(numbers)} mutants are alive", flush=True)
        round_seconds = min(2 * round_seconds, LONGEST_ROUND_SECONDS)
