# SPDX-License-Identifier: MIT
"""The grade of one stage: its status, with the reason that a student can read. It depends on the submission, the seed and
the version of the course, and on nothing else."""

from __future__ import annotations

import contextlib
import os
import random
import shlex
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Dict, Iterator, List, Optional

from ..base import errors
from ..base.errors import WorkbookError
from ..course import stages
from ..course.stages import Stage
from ..judge import expected_counters, verdict
from ..judge.verdict import Verdict
from ..simulator import programs, simulator
from ..simulator.programs import Run
from .program import Built, Students, build_in_wall, students
from .wall.result import Result, Status
from .wall.wall import Wall

VERSION = 1  # of these rules: a result of other rules does not count
FULL = 1000  # thousandths of the stage's points; exact, and rounded only for a reader of grades
FOR_RIGHT = 500  # of these, for a right result that is not yet the stage's step
ASKED = "WORKBOOK_STUDENT"
SECRET_SIZES = 4
MOST_ELEMENTS = 1 << 18  # of such a case
LARGE = 0.8  # the power of the extents of a large one
PUBLIC_SEEDS = (12345, 1, 2, 3)  # tried for a failure that a student can repeat

SOLVED = "solved"
NOT_THE_STEP = "technique"
NOT_SOLVED = "not solved"
WRONG = "wrong result"
FINDINGS = "findings"
NOT_COMPILED = "not compiled"
REFUSED = "refused by the simulator"
GRADER_ERROR = "grader's own error"
MISSING = "missing"
OF_WALL = {
    Status.CPU: "time",
    Status.WALL: "time",
    Status.MEMORY: "memory",
    Status.OUTPUT: "output",
    Status.CRASH: "crash",
    Status.REFUSED: "refused by the wall",
    Status.ERROR: GRADER_ERROR,
}
WORDS = (SOLVED, NOT_THE_STEP, NOT_SOLVED, WRONG, FINDINGS, NOT_COMPILED, REFUSED, GRADER_ERROR, MISSING)
STATUSES = (*WORDS, *(dict.fromkeys(word for word in OF_WALL.values() if word not in WORDS)))


@dataclass
class StageGrade:
    stage: str
    status: str
    thousandths: int = 0
    reason: str = ""  # a sentence or two
    findings: List[str] = field(default_factory=list)  # the simulator's, as text
    replay: str = ""  # a command with a public seed that shows the failure, where one was found
    counters: List[Dict[str, object]] = field(default_factory=list)  # the step's
    cases: int = 0
    messages: str = ""  # the compiler's

    def to_json(self) -> Dict[str, object]:
        return asdict(self)


@contextlib.contextmanager
def asked_at(server: Students) -> Iterator[None]:
    """Judging programs that are started now ask this server for the student's program."""
    before = os.environ.get(ASKED)
    os.environ[ASKED] = f"socket:{server.address}"
    try:
        yield
    finally:
        del os.environ[ASKED]
        if before is not None:
            os.environ[ASKED] = before


def of_stage(wall: Wall, root: Path, build: Path, stage: Stage, todo: Optional[bytes], seed: int) -> StageGrade:
    """`todo`: the student's file. None: it was not handed in."""
    if todo is None:
        return StageGrade(stage.name, MISSING, reason="no todo.cu was handed in for this stage")
    built = build_in_wall(wall, root, build, todo, stage)
    if not built.program:
        return not_built(stage, built)
    with students(wall, build, built.program) as (server, _), asked_at(server):
        return Judge(root, build, stage, server).grade(seed)


def not_built(stage: Stage, built: Built) -> StageGrade:
    result = built.compiled.result
    status = NOT_COMPILED if result.status in (Status.OK, Status.CRASH, Status.REFUSED) else OF_WALL[result.status]
    return StageGrade(stage.name, status, reason=f"todo.cu {built.compiled.words}", messages=built.compiled.messages)


def secret_sizes(described: Dict[str, object], seed: int) -> List[List[str]]:
    """Options for cases of sizes that nobody knows before: a program may be right for the sizes of the course alone."""
    draw = random.Random(f"{seed} {described['problem']} {described['stage']}")
    extents = described["sizes"]
    most = MOST_ELEMENTS ** (1 / len(extents))
    found = []
    for number in range(SECRET_SIZES):
        least = 0.0 if number % 2 else LARGE  # every second one is large
        sizes = [min(int(most ** draw.uniform(least, 1.0)) + draw.randrange(3), int(each["largest"])) for each in extents]
        block = draw.choice(described["block_sizes"]["accepted"])
        found.append(["--size", "x".join(map(str, sizes)), "--block-size", block])
    return found


@dataclass(frozen=True)
class Judge:
    """Judges a program that a server starts."""

    root: Path
    build: Path
    stage: Stage
    server: Students

    @property
    def program(self) -> Path:
        return self.build / "bin" / f"judge-{self.stage.name}"

    @property
    def simulator_folder(self) -> Path:
        return self.build / "simulator"

    def judged(self, options: List[str]) -> Verdict:
        needs = stages.needs(self.root / self.stage.source("todo"))
        return verdict.judge(self.program, self.simulator_folder, "simulator", options, needs=needs)

    def once(self, options: List[str], number: int = 0) -> Verdict:
        """One case, in one of the orders."""
        trial = verdict.SIMULATED[number % len(verdict.SIMULATED)]
        return verdict.first_failure(self.program, self.simulator_folder, [trial], options, verdict.TIME_LIMIT_S, 1)

    def grade(self, seed: int) -> StageGrade:
        described = programs.describe(self.program, simulator.environment(self.simulator_folder, ""))
        seeded = ["--seed", str(seed)] if described.get("seed") is not None else []
        found = self.judged(seeded)
        failed, options = found, ["--cases", verdict.CASES]
        if found.matches:
            for number, sizes in enumerate(secret_sizes(described, seed)):
                failed, options = self.once([*seeded, *sizes], number), sizes
                if not failed.matches:
                    break
        rules = expected_counters.read_rules(self.root, self.stage.name)
        runs: Dict[str, Verdict] = {}
        for own in dict.fromkeys(("", *(rule.options for rule in rules))) if failed.matches else ():
            options = shlex.split(own)
            failed = runs[own] = self.counted([*seeded, *options])
            if not failed.matches:
                break
        broken = self.broken_wall()
        if broken is not None:
            return StageGrade(self.stage.name, OF_WALL[broken.status], reason=f"the program {broken.words}")
        if not failed.matches:
            return self.failed(failed, options, bool(seeded))
        cases = int(found.ending.report.get("cases") or 0)
        counted = {own: run.ending.counted for own, run in runs.items()}
        step = expected_counters.figures(rules, {**counted[""], "also": counted})
        shown = [
            {"idea": each.rule.idea, "counter": each.rule.counter, "yours": each.yours, "answer": each.rule.answer}
            | {"least": each.rule.least, "most": each.rule.most, "holds": each.holds}
            for each in step
        ]
        missed = [each.rule.idea for each in step if not each.holds]
        if missed:
            reason = f"{expected_counters.NOT_YET}: {'; '.join(missed)}"
            return StageGrade(self.stage.name, NOT_THE_STEP, FOR_RIGHT, reason, counters=shown, cases=cases)
        tried = f"right in {found.tried}, and at {SECRET_SIZES} sizes that are drawn"
        return StageGrade(self.stage.name, SOLVED, FULL, tried, counters=shown, cases=cases)

    def broken_wall(self) -> Optional[Result]:
        """What the wall has stopped, or a crash. A process that a judging program no longer needs ends by itself."""
        if self.server.failures:
            raise WorkbookError(self.server.failures[0])
        return next((each for each in self.server.ended if each.status is not Status.OK), None)

    def failed(self, found: Verdict, options: List[str], is_seeded: bool) -> StageGrade:
        """What a student can repeat is shown whole: the same case with a seed that is no secret."""
        public = self.public(options) if is_seeded else found
        shown = public or found
        texts = [str(each.get("text", "")) for each in shown.findings]
        if shown.status < 0:  # a signal: whatever the student's program sends, the judging program must not crash
            return StageGrade(self.stage.name, GRADER_ERROR, reason=f"the judging program: {shown.error or shown.outcome}")
        status = NOT_SOLVED if shown.status == errors.UNSOLVED else FINDINGS if texts else WRONG
        if status == WRONG and shown.status == errors.CUDA_ERROR and "cannot be simulated" in shown.messages:
            status = REFUSED
        if public is None:
            return StageGrade(self.stage.name, status, reason="the result does not match for numbers that are kept secret")
        reason = (public.why or public.outcome).replace(" (see above)", "")
        return StageGrade(self.stage.name, status, reason=reason, findings=texts, replay=self.words(public, options))

    def public(self, options: List[str]) -> Optional[Verdict]:
        """The same with seeds that everybody knows, where one of these fails too."""
        for number, seed in enumerate(PUBLIC_SEEDS):
            seeded = ["--seed", str(seed)]
            found = self.judged(seeded) if "--cases" in options else self.once([*seeded, *options], number)
            if not found.matches:
                return found
        return None

    def words(self, found: Verdict, options: List[str]) -> str:
        given = found.replay.options if found.replay else options
        typed = [word for pair in dict(zip(given[::2], given[1::2])).items() for word in pair]  # each option once
        own = [] if "--cases" in typed else ["--", *typed]
        return shlex.join(["scripts/workbook", "run", str(self.stage.number), "--todo", *own])

    def counted(self, options: List[str]) -> Verdict:
        """One run whose counters are looked at. The host must not compute there, either."""
        environment = simulator.environment(self.simulator_folder, "", "host")
        run = Run([str(self.program), *options], environment, verdict.TIME_LIMIT_S)
        return verdict.explain(verdict.of_run(run.to_its_end(), must_be_checked=True), verdict.SIMULATED[0], options)
