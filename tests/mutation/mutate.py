#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes one-change mutants of the answers and asks the learner's default verdict about each: a mutant that it calls right
is a hole, unless it is equivalent (equivalent.json says why) or only slower (the counters say so).

  tests/mutation/mutate.py --stages 1,3 --count 25      that many mutants of each; 0: all
  tests/mutation/mutate.py --list                       what there is, and compiles nothing
Exit status: 0 all told, 1 a survivor that nobody has explained (or another outcome than sample.json has), 2 wrong usage.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import os
import shutil
import sys
import tempfile
import threading
from pathlib import Path
from typing import Dict, List, Sequence

sys.dont_write_bytecode = True

import default_verdict  # noqa: E402
import mutants as mutants_of_answers  # noqa: E402
import outcomes as outcomes_of_mutants  # noqa: E402
from compile_mutant import DoesNotCompile, Toolchain  # noqa: E402
from default_verdict import ROOT  # noqa: E402
from mutants import Mutant  # noqa: E402
from outcomes import EQUIVALENT, KILLED, NO_PROGRAM, SAME_CODE, SLOWER, SURVIVED, Outcome  # noqa: E402
from workbook_lib import stages, text_table  # noqa: E402

HERE = Path(__file__).resolve().parent


class Judge:
    """Compiles and judges the mutants of one stage."""

    def __init__(self, stage: str, build_folder: Path, scratch: Path):
        self.scratch = scratch / stage
        self.simulator = build_folder / "simulator"
        self.toolchain = Toolchain(build_folder, stage)
        self.answer = self.toolchain.compile(answer_text(stage), self.scratch / "answer")
        program = self.toolchain.link(self.answer)
        self.tasks = default_verdict.tasks_of(program, self.simulator)
        self.counters = default_verdict.counters(program, self.simulator)
        verdict = default_verdict.default_verdict(program, self.simulator, self.tasks)
        if not verdict.matches:
            raise SystemExit(f"mutate.py: the answer of {stage} itself is refused: {verdict.part}: {verdict.reason}")

    def outcome(self, mutant: Mutant) -> Outcome:
        folder = self.scratch / f"{mutant.operator}-{mutant.fingerprint}"
        try:
            compiled = self.toolchain.compile(mutant.source, folder)
            if compiled.read_bytes() == self.answer.read_bytes():
                return Outcome(mutant, SAME_CODE)
            program = self.toolchain.link(compiled)
            verdict = default_verdict.default_verdict(program, self.simulator, self.tasks)
            if not verdict.matches:
                return Outcome(mutant, KILLED, verdict.part, verdict.reason)
            cost = outcomes_of_mutants.cost(self.counters, default_verdict.counters(program, self.simulator))
            return Outcome(mutant, SLOWER if cost else SURVIVED, cost or "")
        except DoesNotCompile as error:
            return Outcome(mutant, NO_PROGRAM, "", str(error))
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def answer_text(stage: str) -> str:
    return (ROOT / "answers" / stage / "solution.cu").read_text(encoding="utf-8")


def judge_all(chosen: Sequence[Mutant], build_folder: Path, jobs: int) -> List[Outcome]:
    judges: Dict[str, Judge] = {}
    locks = {mutant.stage: threading.Lock() for mutant in chosen}
    with tempfile.TemporaryDirectory(prefix="mutation-") as scratch:

        def judge(mutant: Mutant) -> Outcome:
            with locks[mutant.stage]:
                if mutant.stage not in judges:
                    judges[mutant.stage] = Judge(mutant.stage, build_folder, Path(scratch))
            return judges[mutant.stage].outcome(mutant)

        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            found = []
            for outcome in pool.map(judge, chosen):
                found.append(outcome)
                if sys.stderr.isatty():
                    print(f"\r{len(found)} of {len(chosen)} mutants", end="", file=sys.stderr, flush=True)
            return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stages", default="", help="1,3 or 1-5; default: all")
    parser.add_argument("--count", type=int, default=25, help="mutants of each stage; 0: all; default 25")
    parser.add_argument("--seed", type=int, default=1, help="of their choice, default 1")
    parser.add_argument("--list", action="store_true", help="print the mutants, compile nothing")
    parser.add_argument("--json", type=Path, help="write every outcome to this file")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="mutants at a time")
    parser.add_argument("--build", type=Path, default=ROOT / "build/default", help="the build folder")
    arguments = parser.parse_args()
    words = [word for word in arguments.stages.split(",") if word]
    chosen: List[Mutant] = []
    for stage in stages.select(stages.read_stages(ROOT), words):
        everything = mutants_of_answers.mutants_of(stage.name, answer_text(stage.name))
        chosen += mutants_of_answers.choose(everything, arguments.count, arguments.seed)
    if arguments.list:
        for mutant in chosen:
            print(f"{mutant.name}  line {mutant.line}\n{mutant.diff}")
        return 0
    found = judge_all(chosen, arguments.build, arguments.jobs)
    if arguments.json:
        arguments.json.write_text(json.dumps([o.as_json() for o in found], indent=1) + "\n", encoding="utf-8")
    for o in found:
        if o.kind in (SURVIVED, SLOWER):
            print(o.kind, o.mutant.name, o.mutant.line, o.detail)
            print(o.mutant.diff)
    rows = outcomes_of_mutants.summary(found)
    print("\n".join("  ".join(r) for r in rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
