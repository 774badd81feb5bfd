# SPDX-License-Identifier: MIT
"""The grade of one stage: its status, with the reason that a student can read. It depends on the submission, the seed and
the version of the course, and on nothing else."""

from __future__ import annotations

import contextlib
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Dict, Iterator, List, Optional

from ..base import errors
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
    return StageGrade(stage.name, status, reason=f"the compiler {built.compiled.words}", messages=built.compiled.messages)


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

    def seeded(self, seed: int) -> List[str]:
        described = programs.describe(self.program, simulator.environment(self.simulator_folder, ""))
        return ["--seed", str(seed)] if described.get("seed") is not None else []

    def judged(self, options: List[str]) -> Verdict:
        needs = stages.needs(self.root / self.stage.source("todo"))
        return verdict.judge(self.program, self.simulator_folder, "simulator", options, needs=needs)

    def grade(self, seed: int) -> StageGrade:
        options = self.seeded(seed)
        found = self.judged(options)
        broken = self.broken_wall()
        if broken is not None:
            return StageGrade(self.stage.name, OF_WALL[broken.status], reason=f"the program {broken.words}")
        if not found.matches:
            return self.failed(found, options)
        cases = int(found.ending.report.get("cases") or 0)
        step = self.step(options)
        shown = [
            {"idea": each.rule.idea, "counter": each.rule.counter, "yours": each.yours, "answer": each.rule.answer}
            | {"least": each.rule.least, "most": each.rule.most, "holds": each.holds}
            for each in step
        ]
        missed = [each.rule.idea for each in step if not each.holds]
        if missed:
            reason = f"{expected_counters.NOT_YET}: {'; '.join(missed)}"
            return StageGrade(self.stage.name, NOT_THE_STEP, FOR_RIGHT, reason, counters=shown, cases=cases)
        return StageGrade(self.stage.name, SOLVED, FULL, f"right in {found.tried}", counters=shown, cases=cases)

    def broken_wall(self) -> Optional[Result]:
        """What the wall has stopped, or a crash. A process that a judging program no longer needs ends by itself."""
        return next((each for each in self.server.ended if each.status is not Status.OK), None)

    def failed(self, found: Verdict, options: List[str]) -> StageGrade:
        texts = [str(each.get("text", "")) for each in found.findings]
        replay, public = self.public_replay() if options else (self.words(found), found)
        if public is not None:  # what a student can repeat is shown whole
            found, texts = public, [str(each.get("text", "")) for each in public.findings]
        status = NOT_SOLVED if found.status == errors.UNSOLVED else FINDINGS if texts else WRONG
        if status == WRONG and found.status == errors.CUDA_ERROR and "cannot be simulated" in found.messages:
            status = REFUSED
        reason = found.why if public is not None or not options else "the result does not match for numbers that are kept secret"
        return StageGrade(self.stage.name, status, reason=reason or found.outcome, findings=texts, replay=replay)

    def public_replay(self) -> "tuple[str, Optional[Verdict]]":
        for seed in PUBLIC_SEEDS:
            found = self.judged(["--seed", str(seed)])
            if not found.matches:
                return self.words(found), found
        return "", None

    def words(self, found: Verdict) -> str:
        options = " ".join(found.replay.options) if found.replay else ""
        return f"scripts/workbook run {self.stage.number} --todo -- {options}".rstrip(" -")

    def step(self, options: List[str]) -> List[expected_counters.Figure]:
        rules = expected_counters.read_rules(self.root, self.stage.name)
        environment = simulator.environment(self.simulator_folder, "")

        def counted(own: List[str]) -> Dict[str, object]:
            return Run([str(self.program), *options, *own], environment, verdict.TIME_LIMIT_S).to_its_end().counted

        return expected_counters.figures(rules, expected_counters.with_other_inputs(rules, counted([]), counted))
