#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes one-change mutants of the answers and asks the learner's default verdict about each. One that it calls right is
a hole, unless it is equivalent (equivalent_mutants.json says why) or costs more (the counters say what).

  tests/course/mutation/mutate.py --stages 1,3 --count 20   so many mutants of each of these stages; 0: all
  tests/course/mutation/mutate.py --list                    shows them, and compiles nothing
  tests/course/mutation/mutate.py --operator left-as-handed-out   each step of each stage, not written
  tests/course/mutation/mutate.py --write                   also writes table.json and the tables of README.md
  tests/course/mutation/mutate.py --write --stages 3        the same of these stages, and the others' rows stay
  tests/course/mutation/mutate.py --sample 30               so many of table.json's, from all stages: is it still as it says?

Needs a build folder of Ninja with the simulator and the answers built. Exit status: 0 all is told or explained, 1 not
so, 2 wrong usage, 77 nothing is built.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Dict, List, Sequence

sys.dont_write_bytecode = True

import default_verdict  # noqa: E402
import explanations  # noqa: E402
import outcomes  # noqa: E402
from compile_mutant import DoesNotCompile, Toolchain  # noqa: E402
from default_verdict import ROOT  # noqa: E402
from mutants import Mutant, choose, mutants_of  # noqa: E402
from mutation_operators import OPERATORS  # noqa: E402
from outcomes import KILLED, NO_PROGRAM, SAME_CODE, SLOWER, SURVIVED, Outcome  # noqa: E402
from workbook_lib.base import markdown, text_table  # noqa: E402
from workbook_lib.base.errors import UNSOLVED, WorkbookError  # noqa: E402
from workbook_lib.base.progress import Progress  # noqa: E402
from workbook_lib.course import stages  # noqa: E402

HERE = Path(__file__).resolve().parent
TABLE, README = HERE / "table.json", HERE / "README.md"
BEGIN, END = "<!-- mutate.py --write begins -->", "<!-- mutate.py --write ends -->"
BREAKS_ORDER = {operator.name for operator in OPERATORS if operator.breaks_order}


class Judge:
    """Compiles and judges mutants of one stage."""

    def __init__(self, stage: str, build_folder: Path, scratch: Path):
        self.scratch = scratch / stage
        self.simulator = build_folder / "simulator"
        self.toolchain = Toolchain(build_folder, stage)
        self.answer = self.toolchain.compile(answer_text(stage), self.scratch / "answer")
        program = self.toolchain.link(self.answer)
        self.counters = default_verdict.counters(program, self.simulator)
        self.needs = stages.needs(ROOT / "answers" / stage / "solution.cu")
        verdict = default_verdict.default_verdict(program, self.simulator, self.needs)
        if not verdict.matches:
            raise WorkbookError(f"the answer of {stage} itself is refused: {verdict.part}, {verdict.reason}", 1)

    def outcome(self, mutant: Mutant) -> Outcome:
        folder = self.scratch / f"{mutant.operator}-{mutant.fingerprint}"
        try:
            compiled = self.toolchain.compile(mutant.source, folder)
            if compiled.read_bytes() == self.answer.read_bytes():
                return Outcome(mutant, SAME_CODE)
            return self.outcome_of_program(mutant, self.toolchain.link(compiled))
        except DoesNotCompile as error:
            return Outcome(mutant, NO_PROGRAM, str(error))
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def outcome_of_program(self, mutant: Mutant, program: Path) -> Outcome:
        verdict = default_verdict.default_verdict(program, self.simulator, self.needs)
        if not verdict.matches:
            return Outcome(mutant, KILLED, verdict.part, verdict.reason)
        cost = outcomes.cost(self.counters, default_verdict.counters(program, self.simulator))
        if cost and mutant.operator not in BREAKS_ORDER:
            return Outcome(mutant, SLOWER, cost)
        return Outcome(mutant, SURVIVED)


def answer_text(stage: str) -> str:
    return (ROOT / "answers" / stage / "solution.cu").read_text(encoding="utf-8")


def judge_all(chosen: Sequence[Mutant], build_folder: Path, jobs: int) -> List[Outcome]:
    """In the order of the mutants, `jobs` at a time."""
    judges: Dict[str, Judge] = {}
    locks = {mutant.stage: threading.Lock() for mutant in chosen}
    progress = Progress()
    with tempfile.TemporaryDirectory(prefix="mutation-") as scratch:

        def outcome(mutant: Mutant) -> Outcome:
            with locks[mutant.stage]:
                if mutant.stage not in judges:
                    judges[mutant.stage] = Judge(mutant.stage, build_folder, Path(scratch))
            return judges[mutant.stage].outcome(mutant)

        found: List[Outcome] = []
        with ThreadPoolExecutor(jobs) as pool:
            try:
                for one in pool.map(outcome, chosen):
                    found.append(one)
                    progress.show(f"{len(found)} of {len(chosen)} mutants judged")
            finally:
                pool.shutdown(cancel_futures=True)
                progress.clear()
    return found


def choose_sample(mutants: Sequence[Mutant], size: int, seed: int) -> List[Mutant]:
    """Chooses among the mutants that table.json knows to compile: as many from each stage as from any other, or one more."""
    known = json.loads(TABLE.read_text(encoding="utf-8"))
    compiled = {name for name, row in known.items() if row["outcome"] != NO_PROGRAM}
    judged = {name.split(":")[0] for name in known}
    stage_names = sorted({mutant.stage for mutant in mutants if mutant.stage in judged})
    chosen: List[Mutant] = []
    for index, stage in enumerate(stage_names):
        candidates = [mutant for mutant in mutants if mutant.stage == stage and mutant.name in compiled]
        if not candidates:
            raise WorkbookError(f"table.json knows no mutant of {stage} as it is now: run mutate.py --write", 1)
        count = (index + 1) * size // len(stage_names) - index * size // len(stage_names)
        chosen += choose(candidates, count, seed) if count else []
    return chosen


def unexpected(found: Sequence[Outcome]) -> List[str]:
    """What is not as table.json says."""
    known = json.loads(TABLE.read_text(encoding="utf-8"))
    return [
        f"{outcome.mutant.name}, line {outcome.mutant.line}: {outcome.kind}, and table.json says "
        f"{known[outcome.mutant.name]['outcome']}\n{outcome.mutant.diff}"
        for outcome in found
        if outcome.kind != known[outcome.mutant.name]["outcome"]
    ]


def rows_of_others(judged: Sequence[str]) -> List[Outcome]:
    """What table.json says of the stages that were not judged now, where the mutant is still one."""
    known = json.loads(TABLE.read_text(encoding="utf-8"))
    names = {name.split(":")[0] for name in known} - set(judged)
    mutants = {mutant.name: mutant for name in names for mutant in mutants_of(name, answer_text(name))}
    return [Outcome(mutants[name], row["outcome"], row["detail"]) for name, row in known.items() if name in mutants]


def write(found: Sequence[Outcome]) -> None:
    found = sorted(found, key=lambda outcome: outcome.mutant.stage)
    rows = [f" {json.dumps(outcome.mutant.name)}: {json.dumps(outcome.as_json())}" for outcome in found]
    TABLE.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
    text = README.read_text(encoding="utf-8")
    README.write_text(
        markdown.replace_block(text, BEGIN, END, outcomes.as_markdown(found), README.name), encoding="utf-8"
    )


def print_all(found: Sequence[Outcome]) -> None:
    for kind in (outcomes.EQUIVALENT, outcomes.OUT_OF_REACH, SLOWER, SURVIVED):
        for text in outcomes.listed(found, kind):
            print(f"{kind}: {text}\n")
    for rows in (outcomes.table(found), outcomes.parts_table(found)):
        head, *cells = rows
        columns = [
            text_table.Column([title], [row[index] for row in cells], words=index == 0)
            for index, title in enumerate(head)
        ]
        print(text_table.lay_out(columns) + "\n")


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stages", default="", help="as in 1,3 or 1-5; default: all")
    count_help = "mutants of each stage, 0: all; default 40, so that every operator has its turn"
    parser.add_argument("--count", type=int, default=40, help=count_help)
    parser.add_argument("--seed", type=int, default=1, help="of the choice, default 1")
    parser.add_argument("--sample", type=int, help="compare so many with table.json")
    parser.add_argument("--operator", choices=[operator.name for operator in OPERATORS], help="all mutants of this operator")
    parser.add_argument("--only", action="append", metavar="NAME", help="this mutant alone; may be given again")
    parser.add_argument("--list", action="store_true", help="show the mutants, compile nothing")
    parser.add_argument("--write", action="store_true", help="write table.json and the tables of README.md")
    parser.add_argument("--json", type=Path, help="write every outcome to this file")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="mutants at a time")
    parser.add_argument("--build", type=Path, default=ROOT / "build/default", help="default: build/default")
    arguments = parser.parse_args()
    if arguments.write and (arguments.sample or arguments.only or arguments.operator):
        parser.error("--write is for whole stages: without --sample, --operator and --only")
    return arguments


def run(arguments: argparse.Namespace) -> int:
    words = [word for word in arguments.stages.split(",") if word]
    stage_names = [stage.name for stage in stages.select(stages.read_stages(ROOT), words)]
    by_stage = {name: mutants_of(name, answer_text(name)) for name in stage_names}
    everything = [mutant for of_stage in by_stage.values() for mutant in of_stage]
    if arguments.only:
        chosen = [mutant for mutant in everything if mutant.name in arguments.only]
        if len(chosen) != len(set(arguments.only)):
            raise WorkbookError("--only names a mutant that there is not; --list --count 0 shows all")
    elif arguments.operator:
        chosen = [mutant for mutant in everything if mutant.operator == arguments.operator]
    elif arguments.sample:
        chosen = choose_sample(everything, arguments.sample, arguments.seed)
    else:
        chosen = [m for of_stage in by_stage.values() for m in choose(of_stage, arguments.count, arguments.seed)]
    if arguments.list:
        for mutant in chosen:
            print(f"{mutant.name}, line {mutant.line}\n{mutant.diff}\n")
        return 0
    if not (arguments.build / "build.ninja").exists() or not (arguments.build / "bin/answer-stage01").exists():
        raise WorkbookError(f"{arguments.build} is no build folder of Ninja in which the answers were built", UNSOLVED)

    reasons = explanations.read()
    judged = judge_all(chosen, arguments.build, arguments.jobs)
    complaints = [*explanations.stale(reasons, everything, stage_names), *explanations.refuted(reasons, judged)]
    found = explanations.apply(reasons, judged)
    if arguments.json:
        rows = {o.mutant.name: {**o.as_json(), "case": o.case, "diff": o.mutant.diff} for o in found}
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    if arguments.write:
        write([*rows_of_others(stage_names), *found])
    if arguments.sample:
        complaints += unexpected(found)
        print(f"{len(found)} mutants, {len(complaints)} not as table.json says")
    else:
        print_all(found)
        survivors = sum(outcome.kind == SURVIVED for outcome in found)
        complaints += [f"{survivors} survivors that equivalent_mutants.json does not explain"] if survivors else []
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


def main() -> int:
    try:
        return run(parse())
    except WorkbookError as error:
        print(f"mutate.py: {error}", file=sys.stderr)
        return error.status


if __name__ == "__main__":
    sys.exit(main())
