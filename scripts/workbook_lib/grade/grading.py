# SPDX-License-Identifier: MIT
"""The grade of one stage: its status, with the reason that a student can read. It depends on the submission, the seed and
the version of the course, and on nothing else."""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import re
import shlex
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Dict, Iterator, List, Optional

from ..base import errors
from ..base.errors import WorkbookError
from ..base.harmless import harmless
from ..course import stages
from ..course.stages import Stage
from ..judge import expected_counters, hints, symptom, verdict
from ..judge.expected_counters import Figure
from ..judge.verdict import Verdict
from ..simulator import findings, programs, simulator
from ..simulator.locator import without_frames
from ..simulator.programs import Run
from . import dataflow, floors
from .program import Built, Students, build_in_wall, students
from .wall.result import Result, Status
from .wall.wall import Wall

VERSION = 4  # of these rules: a result of other rules does not count
ASKED, ACCEPTED = "WORKBOOK_STUDENT", "WORKBOOK_DEVICE_CODE"  # workbook/remote/judge/student.h
# The same on every machine. A program may fill all of the device's memory, which is the grader's own.
# Inputs of the lesson's size lie in large pages.
SETTINGS = {"CUDASIM_MEMORY": "1G", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
PATIENCE = (1, 4)  # times of the usual limits. The clock has stopped the first try: the machine may have had other work
SECRET_SIZES = 4
MOST_ELEMENTS = 1 << 18  # of such a case
WITHOUT_INPUT = ("integration",)
EXACT = ("exact", "integers")  # kinds of numbers whose sums do not round
LIMIT = 4.0  # of an interval
LARGE = 0.8  # the power of the extents of a large one
PUBLIC_SEEDS = (12345, 1, 2, 3)  # tried for a failure that a student can repeat
SEED_BITS = 128  # of the secret. A program's seed has 32 bits, so sizes that a student sees would give it away
MOST_TEXT = 4096  # characters of one text of a student's program
# An address of the device has more digits, and is the same in each run. One of the host is not.
HOST_ADDRESS = re.compile(r"\b0x[0-9a-f]{9,12}\b")
NOT_SERVED = "cudaErrorNotSupported"  # what the student's libcudart says of a call that it does not pass on
WITHOUT_FOLDER = re.compile(r"[^\s'\"]*/(?=stages/stage\d+/)")  # it differs from run to run

SOLVED = "solved"
NOT_THE_STEP = "technique"
NOT_SOLVED = "not solved"
WRONG = "wrong result"
FINDINGS = "findings"
NOT_COMPILED = "not compiled"
REFUSED = "refused by the simulator"
NOT_FROM_INPUT = "not from the input"
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
WORDS = (SOLVED, NOT_THE_STEP, NOT_SOLVED, WRONG, FINDINGS, NOT_COMPILED, REFUSED, NOT_FROM_INPUT, GRADER_ERROR, MISSING)
STATUSES = (*WORDS, *(dict.fromkeys(word for word in OF_WALL.values() if word not in WORDS)))


@dataclass
class StageGrade:
    stage: str
    status: str
    reason: str = ""  # a sentence or two
    mistake: str = ""  # its kind: the name of the hint that it draws
    findings: List[Dict[str, object]] = field(default_factory=list)  # the simulator's: kind, line (0: none) and text
    replay: str = ""  # a command with a public seed that shows the failure, where one was found
    counters: List[Dict[str, object]] = field(default_factory=list)  # the step's
    cases: int = 0
    messages: str = ""  # the compiler's

    def to_json(self) -> Dict[str, object]:
        return asdict(self)


@contextlib.contextmanager
def asked_at(server: Students) -> Iterator[None]:
    """Judging programs that are started now ask this server for the student's program."""
    before = dict(os.environ)
    own = {ASKED: f"socket:{server.address}", ACCEPTED: str(server.device_code), **SETTINGS}
    os.environ.update(own)
    try:
        yield
    finally:
        for name in own:
            del os.environ[name]
        os.environ.update(before)


def of_stage(wall: Wall, root: Path, build: Path, stage: Stage, todo: Optional[bytes], seed: int) -> StageGrade:
    """`todo`: the student's file. None: it was not handed in."""
    if todo is None:
        return StageGrade(stage.name, MISSING, reason="no todo.cu was handed in for this stage")
    built = build_in_wall(wall, root, build, todo, stage)
    if not built.program:
        return not_built(stage, built)
    for patience in PATIENCE:
        with students(wall, build, built.program, patience) as server, asked_at(server):
            found = Judge(root, build, stage, server, patience * verdict.TIME_LIMIT_S).grade(seed)
        if not any(each.status is Status.WALL for each in server.ended):
            break
    return found


def not_built(stage: Stage, built: Built) -> StageGrade:
    result = built.compiled.result
    status = NOT_COMPILED if result.status in (Status.OK, Status.CRASH, Status.REFUSED) else OF_WALL[result.status]
    mistake = "not-compiled" if status == NOT_COMPILED else ""
    return StageGrade(stage.name, status, f"todo.cu {built.compiled.words}", mistake, messages=built.compiled.messages)


def shown(text: str) -> str:
    """A text that a student's program may have chosen, without what a terminal obeys, and the same in each run."""
    return harmless(HOST_ADDRESS.sub("an address of the host", WITHOUT_FOLDER.sub("", text)).encode("utf-8", errors="surrogateescape"), MOST_TEXT)


def shown_finding(finding: Dict[str, object], stage: Stage) -> Dict[str, object]:
    """`line`: in the student's file."""
    is_own = str(finding.get("file") or "").endswith(str(stage.source("todo")))
    lines = without_frames(findings.lines_for_students(str(finding.get("text", ""))))
    return {"kind": str(finding["kind"]), "line": int(finding.get("line") or 0) if is_own else 0, "text": shown("\n".join(lines))}


def drawn_number(seed: int, word: str, bits: int) -> int:
    """A number that nobody can tell without the secret seed, and from which nobody can tell that seed."""
    return int.from_bytes(hashlib.sha256(f"{seed} {word}".encode()).digest(), "big") >> (256 - bits)


def secret_sizes(described: Dict[str, object], seed: int) -> List[List[str]]:
    """Options for cases of sizes that nobody knows before: a program may be right for the sizes of the course alone."""
    draw = random.Random(drawn_number(seed, f"sizes {described['problem']} {described['stage']}", SEED_BITS))
    extents = described["sizes"]
    most = MOST_ELEMENTS ** (1 / len(extents))
    found = []
    for number in range(SECRET_SIZES):
        least = 0.0 if number % 2 else LARGE  # every second one is large
        sizes = [min(int(most ** draw.uniform(least, 1.0)) + draw.randrange(3), int(each["largest"])) for each in extents]
        block = draw.choice(described["block_sizes"]["accepted"])
        own = drawn_options(described["options"], draw) if described["problem"] in WITHOUT_INPUT else []
        found.append(["--size", "x".join(map(str, sizes)), "--block-size", block, *own])
    return found


def drawn_options(options: List[Dict[str, object]], draw: random.Random) -> List[str]:
    """What stands in for numbers where a problem has no input: a function and its limits."""
    found = []
    for each in options:
        is_choice = bool(each.get("values"))
        found += [f"--{each['name']}", str(draw.choice(each["values"]) if is_choice else round(draw.uniform(-LIMIT, LIMIT), 3))]
    return found


def changed_element(described: Dict[str, object], seed: int) -> List[str]:
    """Options for a second call, whose input differs in one element: the result must change as the reference does. The numbers
    are such that no bound of an error hides one of them."""
    drawn = drawn_number(seed, f"changed {described['problem']} {described['stage']}", 32)
    known = [(each["name"], value) for each in described["options"] for value in each.get("values") or () if value in EXACT]
    return ["--changed", str(drawn), *(word for name, value in known for word in (f"--{name}", value))]


@dataclass(frozen=True)
class Judge:
    """Judges a program that a server starts."""

    root: Path
    build: Path
    stage: Stage
    server: Students
    time_limit_s: float

    @property
    def program(self) -> Path:
        return self.build / "bin" / f"judge-{self.stage.name}"

    @property
    def simulator_folder(self) -> Path:
        return self.build / "simulator"

    def judged(self, options: List[str]) -> Verdict:
        needs = stages.needs(self.root / self.stage.source("todo"))
        cores = int(os.environ.get("CUDASIM_WORKERS", 0))  # with one, no order runs beside one that fails
        own = {"time_limit": self.time_limit_s, "at_once": cores, "needs": needs}
        return verdict.judge(self.program, self.simulator_folder, "simulator", options, **own)

    def once(self, options: List[str], number: int = 0) -> Verdict:
        """One case, in one of the orders."""
        trial = verdict.SIMULATED[number % len(verdict.SIMULATED)]
        trial = replace(trial, settings={**trial.settings, "CUDASIM_CHECK": f"{verdict.CHECKS},{dataflow.CHECK}"})
        return verdict.first_failure(self.program, self.simulator_folder, [trial], options, self.time_limit_s, 1)

    def grade(self, seed: int) -> StageGrade:
        if not any(self.simulator_folder.glob("libcudart.so*")):
            raise WorkbookError(f"{self.simulator_folder} holds no simulator: build the course once more")
        described = programs.describe(self.program, simulator.environment(self.simulator_folder, ""))
        own_seed = str(drawn_number(seed, f"numbers {self.stage.name}", 32))
        seeded = ["--seed", own_seed] if described.get("seed") is not None else []
        found = self.judged(seeded)
        failed, options, runs_of_one = found, ["--cases", verdict.CASES], []
        if found.matches:
            for number, sizes in enumerate(secret_sizes(described, seed)):
                options = [*sizes, *(() if described["problem"] in WITHOUT_INPUT else changed_element(described, seed))]
                failed = self.once([*seeded, *options], number)
                runs_of_one.append(failed)
                if not failed.matches:
                    break
        rules = expected_counters.read_rules(self.root, self.stage.name)
        runs: Dict[str, Verdict] = {}
        for own in dict.fromkeys(("", *(rule.options for rule in rules))) if failed.matches else ():
            options = shlex.split(own)
            failed = runs[own] = self.counted([*seeded, *options])
            runs_of_one.append(failed)
            if not failed.matches:
                break
        broken = self.broken_wall()
        if broken is not None:
            return StageGrade(self.stage.name, OF_WALL[broken.status], f"the program {broken.words}")
        if not failed.matches:
            return self.failed(failed, options, bool(seeded))
        looks = [look(run.ending.report, run.ending.counted) for run in runs_of_one for look in (dataflow.problem, floors.problem)]
        problem = next(filter(None, looks), "")
        if problem:
            return StageGrade(self.stage.name, NOT_FROM_INPUT, problem)
        counted = {own: run.ending.counted for own, run in runs.items()}
        step = expected_counters.figures(rules, {**counted[""], "also": counted})
        return self.right(found, runs[""], step)

    def right(self, found: Verdict, lesson: Verdict, step: List[Figure]) -> StageGrade:
        """The result is right. `step`: of the run of the lesson's size."""
        cases = int(found.ending.report.get("cases") or 0)
        figures = [
            {"idea": each.rule.idea, "counter": each.rule.counter, "yours": each.yours, "answer": each.rule.answer}
            | {"least": each.rule.least, "most": each.rule.most, "holds": each.holds}
            for each in step
        ]
        missed = [each.rule.idea for each in step if not each.holds]
        if missed:
            reason = f"{expected_counters.NOT_YET}: {'; '.join(missed)}"
            return StageGrade(self.stage.name, NOT_THE_STEP, reason, self.mistake(lesson, step), counters=figures, cases=cases)
        tried = f"right in {found.tried}, and at {SECRET_SIZES} sizes that are drawn"
        return StageGrade(self.stage.name, SOLVED, tried, counters=figures, cases=cases)

    def mistake(self, found: Verdict, step: List[Figure] = ()) -> str:
        """Its kind, as the hints know it."""
        drawn = hints.drawn(hints.read(self.root, self.stage.name), symptom.of_verdict(found, step))
        return drawn.name if drawn else ""

    def broken_wall(self) -> Optional[Result]:
        """What the wall has stopped, or a crash. A process that a judging program no longer needs ends by itself."""
        ended = self.server.results()
        if self.server.failures:
            raise WorkbookError(self.server.failures[0])
        return next((each for each in ended if each.status is not Status.OK), None)

    def failed(self, found: Verdict, options: List[str], is_seeded: bool) -> StageGrade:
        """What a student can repeat is shown whole: the same case with a seed that is no secret."""
        public = self.public(options) if is_seeded else found
        known = public or found
        if known.status == errors.USAGE:
            return StageGrade(self.stage.name, GRADER_ERROR, f"the judging program does not take its options: {known.error}")
        if known.status < 0:  # a signal: whatever the student's program sends, the judging program must not crash
            return StageGrade(self.stage.name, GRADER_ERROR, f"the judging program: {shown(known.error or known.outcome)}")
        status = NOT_SOLVED if known.status == errors.UNSOLVED else FINDINGS if known.findings else WRONG
        is_not_served = NOT_SERVED in known.error
        if known.status == errors.CUDA_ERROR and (is_not_served or (status == WRONG and "cannot be simulated" in known.messages)):
            status = REFUSED
        mistake = self.mistake(known)
        if public is None:
            return StageGrade(self.stage.name, status, "the result does not match for numbers that are kept secret", mistake)
        reason = shown((public.why or public.outcome).replace(" (see above)", ""))
        reason += ". The grader does not serve this call" if is_not_served else ""
        listed = [shown_finding(each, self.stage) for each in public.findings]
        return StageGrade(self.stage.name, status, reason, mistake, listed, self.words(public, options))

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
        run = Run([str(self.program), *options], environment, self.time_limit_s)
        return verdict.explain(verdict.of_run(run.to_its_end(), must_be_checked=True), verdict.SIMULATED[0], options)
