# SPDX-License-Identifier: MIT
"""Shrinks a case to a smaller case with the same finding. A program does this by itself for a wrong number
(common/workbook/program/explain.cpp). Here a finding may end it, so each case is a run of its own, some 0.02 s."""

from __future__ import annotations

import math
import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Dict, Iterator, List, Sequence, Tuple

from ..base import errors, sizes
from ..base.errors import WorkbookError
from ..simulator import findings, programs, simulator
from ..simulator.findings import Finding
from . import verdict
from .verdict import Replay, Trial, Verdict

STEPS = (1, 2, 3, 5, 8, 17, 32, 33, 64, 65, 128, 129, 257, 513, 1003)
LIMITS = {1: 1003, 2: 257, 3: 65}  # by extents, for cases without a known failure
SEARCH_S = 1.5  # then the smallest case so far is reported
LIMIT_S = 5.0  # of one run
NOT_OF_A_CASE = (*findings.OF_THE_HOST, "leak", "stream-order")  # a run of one case has no stream of its own


def of_failure(judged: Verdict, program: Path, simulator_folder: Path) -> Verdict:
    """The smallest case found that fails as this verdict does, with its details."""
    if judged.status == errors.DOES_NOT_MATCH:
        judged = verdict.smallest_case(judged, program, simulator_folder)
    return judged if judged.is_checked else case_with(judged, program, simulator_folder)


def case_with(judged: Verdict, program: Path, simulator_folder: Path) -> Verdict:
    """The first case, sizes before blocks, that has the leading finding of this verdict. For a run that was stopped before
    its first finding, the first case that has any. The verdict itself, if none has."""
    replay = judged.replay
    wanted = findings.leading(judged.findings) if judged.findings else None
    if replay is None or replay.on_gpu or len(replay.options) % 2:
        return judged
    if not verdict.was_stopped(judged) if wanted is None else wanted["kind"] in NOT_OF_A_CASE:
        return judged
    options = dict(zip(replay.options[::2], replay.options[1::2]))
    settings = {**replay.settings, "CUDASIM_CHECK": verdict.CHECKS}
    try:
        chosen = ["--kernel", options["--kernel"]] if "--kernel" in options else []
        described = programs.describe(program, simulator.environment(simulator_folder, ""), chosen)
    except WorkbookError:
        return judged
    if options.pop("--cases", None) is None and "--size" not in options:
        return judged
    latest = time.monotonic() + SEARCH_S
    tried = [with_size(options, case) for case in cases(options, described)]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        runs = [verdict.start(program, simulator_folder, Trial("", settings), words, LIMIT_S) for words in tried]
        endings = [pool.submit(run.to_its_end) for run in runs]
        try:
            for words, ending in zip(tried, endings):
                if time.monotonic() > latest:
                    break
                alone = verdict.of_run(ending.result(), must_be_checked=True)
                if alone.findings and (wanted is None or is_same(findings.leading(alone.findings), wanted)):
                    found = shown(judged, alone, Replay(settings, words, False))
                    return found if wanted else replace(found, error=f"{found.error}. All cases together were {judged.error}")
        finally:
            for ending in endings:
                ending.cancel()
            for run in runs:
                run.stop()
    return judged


def shown(judged: Verdict, alone: Verdict, replay: Replay) -> Verdict:
    order = judged.where.split(", with ")[0]
    where = ", ".join(filter(None, (order, f"with {verdict.size_words(replay.options)}")))
    return replace(alone, error=alone.error or alone.outcome, where=where, replay=replay, is_checked=True)


def cases(options: Dict[str, str], described: Dict) -> Iterator[Tuple[str, str]]:
    """Sizes and blocks, all smaller than the case that is known to fail."""
    known = sizes.parse(options["--size"]) if "--size" in options else None
    extents = len(described.get("sizes") or [0])
    limits = sizes.extents(known) if known is not None else [LIMITS.get(extents, 1)] * extents
    accepted = (described.get("block_sizes") or {}).get("accepted") or []
    standard = (described.get("block_sizes") or {}).get("standard")
    blocks = dict.fromkeys(filter(None, [smallest(accepted), options.get("--block-size", standard)]))
    for step in STEPS:
        size = "x".join(str(min(step, limit)) for limit in limits)
        for block in blocks:
            if step < max(limits):
                yield size, block


def smallest(blocks: Sequence[str]) -> str:
    return min(blocks, key=lambda block: math.prod(map(int, block.split("x"))), default="")


def with_size(options: Dict[str, str], case: Tuple[str, str]) -> List[str]:
    changed = {**options, "--size": case[0], "--block-size": case[1]}
    return [word for pair in changed.items() for word in pair]


def is_same(one: Finding, other: Finding) -> bool:
    alike = all(one.get(fact) == other.get(fact) for fact in ("kind", "scope", "severity"))
    return alike and findings.line_of(one) == findings.line_of(other)
