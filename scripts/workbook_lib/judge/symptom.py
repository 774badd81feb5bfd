# SPDX-License-Identifier: MIT
"""The symptom: facts about a failure that choose a hint (hints.py). They are texts, so that a file can hold them."""

from __future__ import annotations

import re
from typing import Dict, Mapping, Sequence

from ..base import errors
from ..simulator import findings
from .expected_counters import Figure
from .verdict import Verdict

Symptom = Dict[str, str]

# The facts for conditions of hints. A fact that does not apply is missing, and does not match.
FACTS = {
    "ends": "how it ends: " + "not-compiled, not-solved, no-match, finding, error, crash or no-step",
    "finding": "the kind of the leading finding",
    "message": "what that finding says, with the allocation",
    "space": "shared or global: the memory that it is about",
    "access": "read or write",
    "scope": "of a race: warp, block or grid",
    "result": "of a wrong result without a finding: what is wrong, the pattern of wrong elements, what was found out",
    "pattern": "the same, also where the leading finding is of values that nothing wrote",
    "device": "in place of `result` and `pattern`, where it is wrong on one multiprocessor and right on many",
    "error": "of an error: why",
    "compiler": "of a file that does not compile: the first error, and what is said of it",
    "case": "the options of the case that fails, or of the run that misses a limit",
    "counter": "of a right result without the stage's step: the first counter that misses its limit",
    "limit": "of that counter: most or least, the limit that it misses",
}
NOT_SOLVED: Symptom = {"ends": "not-solved"}


def of_compiler(message: str) -> Symptom:
    return {"ends": "not-compiled", "compiler": message}


def of_verdict(verdict: Verdict, step: Sequence[Figure] = ()) -> Symptom:
    """The facts of a verdict. Empty where there is no mistake."""
    if verdict.status == errors.MATCHES:
        missed = [figure for figure in step if not figure.holds]
        if not missed:
            return {}
        limit = "least" if missed[0].is_too_small else "most"
        facts = {"ends": "no-step", "counter": missed[0].rule.counter, "limit": limit}
        return {**facts, "case": missed[0].rule.options} if missed[0].rule.options else facts
    if verdict.status == errors.UNSOLVED:
        return dict(NOT_SOLVED)
    report = verdict.ending.report if verdict.ending else {}
    does_not_match = verdict.status == errors.DOES_NOT_MATCH
    facts = {"ends": ends(verdict.status, does_not_match and report.get("matches") is True)}
    if verdict.findings:
        facts.update(of_finding(findings.leading(verdict.findings)))
    if does_not_match and report.get("matches") is not True:
        text = "\n".join(filter(None, (str(report.get("error") or ""), verdict.diagnosis)))
        on_small_device = is_of_a_small_device(verdict)
        if "finding" not in facts:
            facts["device" if on_small_device else "result"] = text
        if facts.get("finding", "uninitialised") == "uninitialised" and not on_small_device:
            facts["pattern"] = text
    elif verdict.error:
        facts["error"] = verdict.error
    if verdict.replay:
        facts["case"] = " ".join(verdict.replay.options)
    return facts


def is_of_a_small_device(verdict: Verdict) -> bool:
    """Whether only a small device fails. A trial in plain order has one only where the trial before, on many
    multiprocessors, was right."""
    settings = verdict.replay.settings if verdict.replay else {}
    return "CUDASIM_MULTIPROCESSORS" in settings and "CUDASIM_SCHEDULE" not in settings


def ends(status: int, is_right: bool) -> str:
    if status < 0:
        return "crash"
    if status == errors.DOES_NOT_MATCH:
        return "finding" if is_right else "no-match"
    return "error"


def of_finding(finding: Mapping[str, object]) -> Symptom:
    text = " ".join(str(finding[name]) for name in ("message", "allocation") if finding.get(name))
    facts = {"finding": str(finding["kind"]), "message": text}
    if "access_bytes" in finding or finding["kind"] in ("race", "uninitialised"):
        facts["space"] = "shared" if re.search("shared (memory|array|variable)", text) else "global"
    if "is_store" in finding:
        facts["access"] = "write" if finding["is_store"] else "read"
    if finding.get("scope"):
        facts["scope"] = str(finding["scope"])
    return facts
