# SPDX-License-Identifier: MIT
"""The verdict on a stage's program: all of its cases, in several orders of blocks and warps, with every check of the
simulator. One run at one size proves little, because it may hide a forgotten tail, or a race."""

from __future__ import annotations

import math
import os
import re
import shlex
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Dict, List, Mapping, Optional, Sequence

from ..base import errors
from ..base.sizes import Size
from ..simulator import findings, programs, simulator, vocabulary
from ..simulator.findings import Finding
from ..simulator.programs import Ending, Run
from .counts import Counts
from .expected_counters import Figure

SCHEMA, FORMAT = "verdict.schema.json", 2  # of common/workbook
FIGURES = (  # their names in a program's report
    *("problem", "device", "simulated", "size", "seed", "block_size", "work"),
    *("relative_error", "time_ms", "time_kind"),
)
CASES = "quick,hostile"
CHECKS = "all,host"  # of the simulator
# Patterns of wrong elements (common/workbook/judge/patterns.cpp) that leave little to be found out.
NAMES_THE_CAUSE = re.compile(r"row and column are exchanged|the input's at the same place|places of another tile")
TIME_LIMIT_S = 60.0  # for all cases in one order; they take about a second
SEARCH_LIMIT_S = 10.0  # for the diagnosis of one case; it takes about a second at most, and a few on slow machines


@dataclass(frozen=True)
class Trial:
    """A way to run the cases."""

    words: str
    settings: Mapping[str, str] = field(default_factory=dict)  # the simulator's environment variables
    options: Sequence[str] = ()
    on_gpu: bool = False
    simpler: Sequence[Trial] = ()  # trials with a part of its settings; where one of these fails too, that one is reported
    on_default: Optional[Trial] = None  # the same without the small GPU


ON_GPU = Trial("on the GPU", on_gpu=True)
GPU_ALONE = (
    "The GPU alone shows this: the simulator runs the same case without a mistake. Does the result depend on the speed or "
    "the order of threads, or on a limit of this GPU? compute-sanitizer looks at the run on the GPU"
)
RANDOM = {"CUDASIM_SCHEDULE": "random", "CUDASIM_SEED": "1", "CUDASIM_BLOCKS": "6"}
SMALL_DEVICE = {"CUDASIM_MULTIPROCESSORS": "1"}
# Unwritten memory holds other bytes in the second, because a result must not depend on earlier contents.
SIMULATED = (
    Trial("in plain order", {"CUDASIM_CHECK": CHECKS}),
    Trial(
        "in adversarial order",
        {"CUDASIM_SCHEDULE": "adversarial", "CUDASIM_SEED": "1", "CUDASIM_POISON": "0xA5", "CUDASIM_CHECK": CHECKS},
        ("--poison", "0xA5"),
    ),
    # Few blocks at once, in any order of the grid. A block that waits for a block of a lower number may then wait for
    # one that cannot begin. One multiprocessor: a grid as large as the device must loop several times, also for these
    # small inputs.
    Trial(
        "in random order on one multiprocessor",
        {**RANDOM, **SMALL_DEVICE, "CUDASIM_CHECK": CHECKS},
        simpler=(
            Trial("on one multiprocessor", {**SMALL_DEVICE, "CUDASIM_CHECK": CHECKS}),
            Trial("in random order", {**RANDOM, "CUDASIM_CHECK": CHECKS}),
        ),
    ),
)
ORDERS = "three orders, all checks"
# GPUs with little shared memory, few threads and few blocks a multiprocessor, the smallest first.
SMALL_GPUS = ("t4", "rtx3060")
# Warp instructions of a block in a case. So many take about ten seconds. All cases together have no more than a minute.
STEP_BUDGET = "100000000"
COUNT = re.compile(r"\b(?P<wrong>\d+) of (?P<all>\d+) (?:elements|keys|records)\b")
UNWRITTEN = "that nobody wrote"  # of a program's error: an element is equal to the poison
LATER_CALL = re.compile(r"\bin (?:scan|search|call) \d+\b")  # of a program's error: calls before it were right
LAST_KEY = "the last of all keys"  # of a sort's error: also what stands for a key that is missing
GIVES_WAY = ("nice", "-n", "4")  # two such share a core, and a usual one has another; on a busy machine all get time
# These replace the settings of the user's environment.
CHOSEN_HERE = ("CUDASIM_SCHEDULE", "CUDASIM_SEED", "CUDASIM_POISON", "CUDASIM_BLOCKS", "CUDASIM_MULTIPROCESSORS")


@dataclass(frozen=True)
class Replay:
    """The run that repeats a failure."""

    settings: Mapping[str, str]
    options: Sequence[str]
    on_gpu: bool

    def command(self, program: Path, simulator_folder: Path) -> str:
        """The command for a shell."""
        settings = {} if self.on_gpu else {"LD_LIBRARY_PATH": str(simulator_folder), **self.settings}
        words = [f"{name}={value}" for name, value in settings.items()]
        return shlex.join(["env", *words, str(program), *self.options])


@dataclass
class Verdict:
    """The result of a stage's program, in one run or in all its cases. The table shows it as a row."""

    stage: str = ""
    title: str = ""
    status: int = errors.CUDA_ERROR  # an exit status of programs, errors.py
    outcome: str = ""  # a word or two
    relative_error: Optional[float] = None
    time_ms: Optional[float] = None
    time_kind: Optional[str] = None
    device: Optional[str] = None
    simulated: Optional[bool] = None
    problem: Optional[str] = None  # the computation, in one word
    size: Optional[Size] = None
    seed: Optional[int] = None
    block_size: Optional[Size] = None
    work: Optional[Dict[str, object]] = None  # the work of the computation
    counts: Optional[Counts] = None
    error: str = ""  # the reason of a failure, as a sentence
    diagnosis: str = ""  # for a wrong result: the diagnosis of its program, in lines
    is_checked: bool = False  # whether every check has seen the reported case
    messages: str = ""  # the program's standard error
    findings: List[Finding] = field(default_factory=list)  # the simulator's findings, one for each mistake
    remarks: List[str] = field(default_factory=list)  # what it says of a right program, a line each
    step: List[Figure] = field(default_factory=list)  # the expected counters of the stage
    tried: str = ""  # "71 cases in three orders, all checks"
    symptom: Dict[str, str] = field(default_factory=dict)  # the symptom (symptom.py)
    where: str = ""  # the order and the case: "in plain order, with --size 33"
    replay: Optional[Replay] = None  # the run that repeats the failure
    command: str = ""  # the same as a typed command
    ending: Optional[Ending] = None  # of the decisive run

    @property
    def matches(self) -> bool:
        return self.status == errors.MATCHES

    @property
    def is_solved(self) -> bool:
        """Whether the result is right and the stage's own step is taken."""
        return self.matches and all(figure.holds for figure in self.step)

    @property
    def why(self) -> str:
        """The reason of a failure, and its place."""
        return f"{self.where}: {self.error}" if self.where else self.error

    def figures(self) -> Dict[str, object]:
        """The figures for a comparison."""
        return {name: value for name, value in self.as_json().items() if name in (*FIGURES, "counts")}

    def as_json(self) -> Dict[str, object]:
        """A `row` of common/workbook/verdict.schema.json."""
        row = asdict(replace(self, error=self.why, replay=None, ending=None))
        row["replay"] = row.pop("command")
        return {name: value for name, value in row.items() if name not in ("where", "ending", "remarks")}


def is_of_cases(ending: Ending) -> bool:
    """Whether it ran all cases. One case alone may have nothing to compute."""
    return ending.report.get("cases") is not None


def of_run(ending: Ending, must_be_checked: bool) -> Verdict:
    """The verdict on one run. A matching result is not enough: the simulator must have no finding."""
    found = [finding for finding in ending.findings if not findings.is_remark(finding)]
    remarks = [findings.remark_text(each) for each in findings.distinct(filter(findings.is_remark, ending.findings))]
    status, error = ending.status, ending.error
    if status == errors.MATCHES and ending.report.get("matches") is not True:
        # It ended before its check. Its exit status does not matter.
        status, error = errors.CUDA_ERROR, "the program ended without a report"
    elif status == errors.MATCHES and must_be_checked and not ending.counted:
        status, error = errors.CUDA_ERROR, "the simulator left no report, so that nothing was checked"
    elif status == errors.MATCHES and must_be_checked and is_of_cases(ending) and not ending.counted.get("kernels"):
        status, error = errors.DOES_NOT_MATCH, "the results match, but no kernel ran"
    outcome = programs.outcome(status)
    if status < 0 and not error:
        error = programs.crash(status, bool(found))
    if status in (errors.MATCHES, errors.UNSOLVED) and found:
        counted = findings.count_text(found)
        right = "the result matches" if status == errors.MATCHES else "not all steps are written, and the results before match"
        error = f"{right}, but something is wrong: {counted} (see above). It does not count as passed"
        status, outcome = errors.DOES_NOT_MATCH, f"NO: {counted}"
    return Verdict(status=status, outcome=outcome, error=error, findings=found, remarks=remarks, ending=ending)


def judge(
    program: Path,
    simulator_folder: Path,
    device: str,
    options: Sequence[str] = (),
    cases: str = CASES,
    time_limit: float = TIME_LIMIT_S,
    at_once: int = 0,
    needs: int = 0,
) -> Verdict:
    """Runs the cases of these purposes: on the simulator in each order, and what is right there on a GPU, where that is
    the device. The simulator comes first because it names lines. Runs `at_once` (0: all) at a time. The first failure in
    this order is the verdict. `options`: further options of the program. `needs`: its compute capability, as 80."""
    options = [*options, "--cases", cases]
    verdict = first_failure(program, simulator_folder, orders(needs), options, time_limit, at_once)
    if not verdict.matches:
        return verdict
    tried = f"{verdict.ending.report.get('cases')} cases in {ORDERS}"
    if device == "gpu":
        on_gpu = first_failure(program, simulator_folder, [ON_GPU], options, time_limit, at_once)
        if not on_gpu.matches:
            return seen_on_gpu_alone(on_gpu)
        tried = f"{tried}; on the GPU {on_gpu.ending.report.get('cases')} cases"
    return replace(verdict, tried=tried)


def orders(needs: int) -> Sequence[Trial]:
    """The trials on the simulator. The last one is on the smallest GPU that has what the program needs. A GPU that the
    user has chosen stays."""
    word = next((each for each in SMALL_GPUS if vocabulary.GPUS[each] >= needs), None)
    return SIMULATED if word is None or os.environ.get("CUDASIM_GPU") else (*SIMULATED[:-1], on_small_gpu(SIMULATED[-1], word))


def on_small_gpu(trial: Trial, word: str) -> Trial:
    words = f"{trial.words} of a {vocabulary.PRODUCTS[word]}"
    return replace(trial, words=words, settings={**trial.settings, "CUDASIM_GPU": word}, on_default=replace(trial, simpler=()))


def refusal(verdict: Verdict, trial: Trial) -> str:
    """The reason why a small GPU refuses a program that runs on the default one. Empty where the result is wrong there."""
    is_refused = verdict.status == errors.CUDA_ERROR or any(each["kind"] == "refused-launch" for each in verdict.findings)
    word = trial.settings["CUDASIM_GPU"]
    lines = [line for line in verdict.ending.messages.splitlines() if f"(CUDASIM_GPU={word})" in line]
    reason = lines[0].removeprefix("cudasim: ") if lines else f"{verdict.error or verdict.outcome} ({vocabulary.PRODUCTS[word]})"
    return f"remark: right here, but not on every GPU: {reason}. --gpu {word} shows more" if is_refused else ""


def seen_on_gpu_alone(verdict: Verdict) -> Verdict:
    """A failure of a GPU in a run that the simulator finds right."""
    return replace(verdict, error=f"{verdict.error or verdict.outcome}. {GPU_ALONE}")


def explained_by_the_simulator(judged: Verdict, command: Sequence[str], simulator_folder: Path) -> Verdict:
    """The verdict on a run that failed on a GPU. The simulator runs the same case with all checks, because it names the
    line. Where it finds nothing, the GPU's verdict says so."""
    environment = simulator.environment(simulator_folder, "", "all")
    simulated = of_run(Run(list(command), environment, TIME_LIMIT_S).to_its_end(), must_be_checked=True)
    if simulated.matches:
        return seen_on_gpu_alone(judged)
    seen = f"on the GPU: {judged.error or judged.outcome}. On the simulator: {simulated.error or simulated.outcome}"
    return replace(simulated, error=seen, is_checked=True)


def first_failure(
    program: Path,
    simulator_folder: Path,
    trials: Sequence[Trial],
    options: Sequence[str],
    time_limit: float,
    at_once: int,
) -> Verdict:
    """The verdict of the first trial that fails, else of the first. A failure does not wait for later trials. The first
    trial fails most often, so it does not wait for a core."""
    at_once = at_once or len(trials)
    runs = [start(program, simulator_folder, trial, options, time_limit, at_once) for trial in trials]
    for run in runs[1:] if at_once > 1 else ():
        run.command[:0] = GIVES_WAY
    verdicts: List[Verdict] = []
    with ThreadPoolExecutor(at_once) as pool:
        endings = [pool.submit(run.to_its_end) for run in runs]
        try:
            for trial, ending in zip(trials, endings):
                found = explain(of_run(ending.result(), not trial.on_gpu), trial, options)
                verdicts.append(found)
                if found.status in (errors.MATCHES, errors.UNSOLVED):
                    continue
                others = [*trial.simpler] if found.status == errors.DOES_NOT_MATCH else []
                others += [trial.on_default] if trial.on_default is not None else []
                simpler = (first_failure(program, simulator_folder, [each], options, time_limit, 1) for each in others)
                note = refusal(found, trial) if trial.on_default is not None else ""
                reported = next((each for each in simpler if not each.matches), None)
                if reported is not None or not note:
                    return reported or found
                verdicts[0].remarks.append(note)
        finally:
            for ending in endings:
                ending.cancel()
            for run in runs:
                run.stop()
    return verdicts[0]  # a step that is not written stops all trials, and cases before it may fail in any of them


def start(
    program: Path, simulator_folder: Path, trial: Trial, options: Sequence[str], time_limit: float, at_once: int = 1
) -> Run:
    environment = {name: value for name, value in os.environ.items() if name not in CHOSEN_HERE}
    if not trial.on_gpu:
        environment = {**simulator.environment(simulator_folder, "", base=environment), **trial.settings}
        environment.setdefault("CUDASIM_STEP_BUDGET", STEP_BUDGET)
        environment.setdefault("CUDASIM_WORKERS", str(math.ceil(len(os.sched_getaffinity(0)) / at_once)))
    return Run([str(program), *options, *trial.options], environment, time_limit)


def explain(verdict: Verdict, trial: Trial, options: Sequence[str]) -> Verdict:
    """Adds the order and the case of a failure, and the command that repeats it."""
    if verdict.matches or verdict.status == errors.UNSOLVED:
        return verdict
    failed = str((verdict.ending.report.get("failed") or {}).get("options") or "")
    where = f"{trial.words}, with {failed}" if failed else trial.words
    # The program reports the options of the case. They replace --cases and its value, the last two of these.
    words = [*options[:-2], *shlex.split(failed)] if failed else options
    replay = Replay(trial.settings, [*words, *trial.options], trial.on_gpu)
    error = with_kernel(verdict, with_author(verdict, trial)) or verdict.outcome
    return replace(verdict, error=error, where=where, replay=replay)


def was_stopped(verdict: Verdict) -> bool:
    """Whether the time limit ended it (common/workbook/program/time_limit.cpp)."""
    return verdict.status == errors.CUDA_ERROR and verdict.error.startswith("stopped after ")


def with_kernel(verdict: Verdict, error: str) -> str:
    """The error of a program that was stopped, with the kernel that ran."""
    kernel = findings.running_kernel(verdict.ending.counted) if was_stopped(verdict) else ""
    return f"{error}. {kernel}" if kernel else error


def with_author(verdict: Verdict, trial: Trial) -> str:
    """The error. An element that holds what unwritten memory holds may have been stored as that: where the check of
    unwritten values finds nothing in what is copied to the host, a thread has stored it. Before a later call the program
    fills the output itself, so there the check finds nothing in any case."""
    is_known = trial.settings.get("CUDASIM_CHECK", "").startswith("all") and not verdict.findings
    may_be_filled = may_have_gaps(verdict.error) or LATER_CALL.search(verdict.error) is not None
    if not is_known or UNWRITTEN not in verdict.error or may_be_filled:
        return verdict.error
    error = f"{verdict.error}. A thread stored it: nothing of what was copied to the host is unwritten"
    if LAST_KEY not in error:
        return error
    return f"{error}. A sort puts the last of all keys where one is missing: which step brought it before a key of the input?"


def may_have_gaps(error: str) -> bool:
    """Whether a part of the result is right. Single elements between others may be the padding of a struct, so the check
    of unwritten values is silent about them."""
    count = COUNT.search(error)
    return count is not None and int(count["wrong"]) < int(count["all"])


def is_wrong_but_for(verdict: Verdict, *known: str) -> bool:
    """Whether the result is wrong, and checks have found only these kinds of mistakes."""
    kinds = {finding["kind"] for finding in verdict.findings}
    is_wrong = verdict.status == errors.DOES_NOT_MATCH and verdict.ending.report.get("matches") is False
    return is_wrong and kinds <= set(known)


def smallest_case(verdict: Verdict, program: Path, simulator_folder: Path) -> Verdict:
    """The smallest case with a wrong result, under all checks, with the diagnosis of the program. It is used only if
    that case fails when it runs alone."""
    if not is_wrong_but_for(verdict, "leak", "uninitialised"):
        return verdict
    replay = verdict.replay
    words = [part for word in replay.options for part in word.split("=", 1)]
    if len(words) % 2:
        return verdict
    unchecked = {name: value for name, value in replay.settings.items() if name != "CUDASIM_CHECK"}
    trial = Trial("", unchecked, on_gpu=replay.on_gpu)
    searched = start(program, simulator_folder, trial, [*words, "--explain"], SEARCH_LIMIT_S).to_its_end()
    failed = shlex.split(str((searched.report.get("failed") or {}).get("options") or ""))
    if not failed:
        return verdict
    others = [word for pair in zip(words[::2], words[1::2]) if pair[0] not in failed[::2] for word in pair]
    checked = trial if replay.on_gpu else replace(trial, settings={**unchecked, "CUDASIM_CHECK": CHECKS})
    alone = of_run(
        start(program, simulator_folder, checked, [*others, *failed], SEARCH_LIMIT_S).to_its_end(), not replay.on_gpu
    )
    if alone.status != searched.status and not alone.findings:
        return verdict  # it matches, or it was too slow
    if replay.on_gpu:
        alone = explained_by_the_simulator(alone, [str(program), *others, *failed], simulator_folder)
    on_gpu = replay.on_gpu and not alone.is_checked
    is_silent = is_wrong_but_for(alone, "leak")  # a leak does not explain a number
    if is_silent and not is_wrong_but_for(verdict, "leak"):
        return verdict  # a line is more useful than a small size
    if not is_silent and is_wrong_but_for(verdict, "leak") and NAMES_THE_CAUSE.search(str(verdict.ending.report.get("error"))):
        return verdict  # and such a pattern is more useful than a line
    return replace(
        alone,
        diagnosis=str(searched.report.get("diagnosis") or "") if is_silent else "",
        error=with_author(alone, checked) or alone.outcome,
        where=", ".join([*verdict.where.split(", with ")[:1], "with " + size_words(failed)]).removeprefix(", "),
        replay=Replay(unchecked if is_silent else checked.settings, [*others, *failed], on_gpu),
        is_checked=not on_gpu,
    )


def size_words(options: Sequence[str]) -> str:
    """The part "--size 33 --block-size 32" of a case's options."""
    pairs = zip(options[::2], options[1::2])
    return shlex.join([word for pair in pairs if pair[0] in ("--size", "--block-size") for word in pair])
