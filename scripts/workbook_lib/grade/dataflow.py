# SPDX-License-Identifier: MIT
"""Whether a result can come from its input: kernels have loaded every byte of the input, and they were the last to write the
result. The judging program says where both lie, and how many of their bytes any right function touches. The simulator says
what kernels have done there (its check `coverage`)."""

from __future__ import annotations

from typing import Mapping, Sequence

CHECK = "coverage"
SIDES = ((False, "loaded", "input"), (True, "stored", "result"))  # of an array: is it an output, and what must have happened


def problem(report: Mapping[str, object], counted: Mapping[str, object]) -> str:
    """A sentence about one run with that check, from both reports. Empty where it is in order, or where nothing is known."""
    arrays: Sequence[Mapping[str, object]] = report.get("arrays") or ()
    covered: Sequence[Mapping[str, int]] = counted.get("coverage") or ()
    if CHECK not in (counted.get("checks") or ()):
        return ""
    for is_output, done, side in SIDES:
        for array in (each for each in arrays if each["is_output"] == is_output):
            touched = sum(each[done] for each in covered if is_in(int(array["address"]), each))
            if touched < int(array["needed"]):
                name = str(array["name"]).removeprefix("the ")
                words = f"kernels have {done} {touched:,} of {array['needed']:,} bytes of the {side} ({name})"
                return f"{words}: the result does not come from all of it"
    return ""


def is_in(address: int, allocation: Mapping[str, int]) -> bool:
    """Address 0: the student's function decides where the array lies, so any memory may hold it."""
    return address == 0 or 0 <= address - allocation["address"] < allocation["bytes"]
