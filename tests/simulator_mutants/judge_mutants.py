#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One-change mutants of the simulator's sources, judged by the simulator's tests.

  judge_mutants.py make                   draws them, or takes those of table.json, and builds a copy of the repository
  judge_mutants.py judge --minutes 5      judges them; may be repeated, and goes on where it stopped
  judge_mutants.py write                  writes table.json
  judge_mutants.py list                   shows the mutants of table.json that no test kills

Exit status: 0, or 1 when a mutant survives that reasons.json does not explain."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import Dict, List

sys.dont_write_bytecode = True

import judge  # noqa: E402
import tree  # noqa: E402

HERE = Path(__file__).resolve().parent
TABLE, REASONS = HERE / "table.json", HERE / "reasons.json"
SCRATCH = tree.COPY.parent
DRAWN, MEASURED, RESULTS = SCRATCH / "drawn.json", SCRATCH / "measured.json", SCRATCH / "results.jsonl"


def read(path: Path) -> Dict:
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def make(arguments: argparse.Namespace) -> int:
    known, targets = list(read(TABLE)), arguments.targets.split(",")
    chosen = tree.make(arguments.count, arguments.seed, known, targets, arguments.levels, arguments.jobs)
    rows = {
        m.name: {"number": n, "line": m.line, "before": m.before, "after": m.after}
        for n, m in enumerate(chosen, start=1)
    }
    DRAWN.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


def judge_all(arguments: argparse.Namespace) -> int:
    deadline = time.monotonic() + 60 * arguments.minutes
    drawn, results = read(DRAWN), judge.Results(arguments.results)
    judge.prepare(tree.BUILD)
    tests = judge.measure(judge.read_tests(tree.BUILD), arguments.jobs, arguments.slowest, MEASURED)
    print(f"{len(tests)} tests, {sum(test.seconds for test in tests):.0f} s without a mutant", flush=True)
    known = read(TABLE) if arguments.survivors else {}
    numbers = {name: row["number"] for name, row in drawn.items() if known.get(name, {}).get("outcome") != "killed"}
    judge.judge(numbers, tests, results, arguments.jobs, deadline)
    return 0


def write(arguments: argparse.Namespace) -> int:
    drawn, results, reasons, table = read(DRAWN), judge.Results(arguments.results), read(REASONS), read(TABLE)
    lines: List[str] = []
    unexplained = 0
    for name, row in drawn.items():
        known = {"line": row["line"], "before": row["before"], "after": row["after"]}
        before = table.get(name, {})
        if name in results.killed:
            known.update(outcome="killed", by=results.killed[name]["by"])
        elif before.get("outcome") == "killed" and not results.passed.get(name):
            known.update(outcome="killed", by=before["by"])
        elif name in reasons:
            known.update(outcome="explained", reason=reasons[name])
        else:
            known.update(outcome="survived")
            unexplained += 1
            print(f"survived: {name}, line {row['line']}\n- {row['before']}\n+ {row['after']}")
        lines.append(f" {json.dumps(name)}: {json.dumps(known)}")
    TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    return 1 if unexplained else 0


def show(_: argparse.Namespace) -> int:
    for name, row in read(TABLE).items():
        if row["outcome"] != "killed":
            print(f"{name}, line {row['line']}: {row['outcome']}\n- {row['before']}\n+ {row['after']}\n")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("make", "judge", "write", "list"))
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--targets", default="all", help="of Ninja, with commas; default: all")
    parser.add_argument("--levels", default="all", help="vector levels that are built; default: all")
    parser.add_argument("--minutes", type=float, default=1e6, help="when judging stops")
    parser.add_argument("--slowest", type=float, default=60, help="seconds; a slower test judges no mutant")
    parser.add_argument("--survivors", action="store_true", help="judge those that table.json does not call killed")
    parser.add_argument("--results", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    commands = {"make": make, "judge": judge_all, "write": write, "list": show}
    return commands[arguments.command](arguments)


if __name__ == "__main__":
    sys.exit(main())
